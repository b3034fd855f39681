import { InvalidArgumentError, type Command } from 'commander'
import { toTime } from '../lib/time-text.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameOption, readNumber, tenantId, tenantOption } from './options.js'
import { toList } from './table.js'

interface LogOptions {
  tenant?: string
  user?: string
  refused?: boolean
  since?: number
  limit: number
  json?: boolean
}

const readTime = (text: string): number => {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time such as 2026-02-01 or 2026-02-01T08:00:00Z.')
  return time
}

export const registerLog = (program: Command): void => {
  program
    .command('log')
    .description('list attempts to sign in, the latest first')
    .addOption(tenantOption('only attempts in this tenant'))
    .addOption(nameOption('--user <name>', 'only attempts with this user name, phone number or e-mail address'))
    .option('--refused', 'only refused attempts')
    .option('--since <time>', 'only attempts at this time or later', readTime)
    .option('--limit <count>', 'maximum number of rows', readNumber(999_999), 50)
    .addOption(jsonOption())
    .action(async (options: LogOptions) => {
      await withInstalledApp(async (app) => {
        const events = await app.loginLog.list({
          tenantId: await tenantId(app, options.tenant),
          subject: options.user,
          refusedOnly: options.refused ?? false,
          since: options.since,
          limit: options.limit,
        })
        const rows = events.map((event) => ({ ...event, time: toTime(event.time), firstTime: toTime(event.firstTime) }))
        const cells = rows.map(
          ({ time, tenantId: tenant, subject, authType, userClient, address, reason, ...many }) => {
            const outcome = reason ?? 'signed in'
            const outcomes = many.tries > 1 ? `${outcome}, ${many.tries} times since ${many.firstTime}` : outcome
            return [time, `tenant ${tenant}`, subject, authType, userClient, address, outcomes]
          },
        )
        const lines = toList(['time', 'tenant', 'name', 'method', 'client', 'address', 'outcome'], cells)
        report(options, rows, lines.length > 0 ? lines.join('\n') : 'Nobody has tried to sign in.')
      })
    })
}
