import { InvalidArgumentError, Option } from 'commander'
import {
  jsonOption,
  nameOption,
  pageOption,
  pageSizeOption,
  requireOption,
  tenantId,
  tenantOption,
} from '../../cli/options.js'
import { confirm, destroys, type YesOption } from '../../cli/prompt.js'
import { toList } from '../../cli/table.js'
import { operatorActor } from '../../lib/actor.js'
import { countOf } from '../../lib/count-of.js'
import { problem } from '../../lib/problem.js'
import type { RegisterCommands } from '../guest.js'
import type {} from './service.js'

/** Not null: commander takes that for an option without a value. */
const readDays = (text: string): number | 'never' => {
  if (text === 'never') return text
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a number of days, or never.')
  return Number(text)
}

const readList = (text: string): string[] => text.split(',').map((part) => part.trim())

interface ListOptions {
  user?: string
  tenant?: string
  page: number
  pageSize: number
  json?: boolean
}

interface AddOptions {
  user: string
  tenant?: string
  name: string
  permissions?: string[]
  days?: number | 'never'
  addresses?: string[]
  json?: boolean
}

const registerTokens: RegisterCommands = (program, { report, withInstalledApp }) => {
  const token = program.command('token').description('API tokens: what scripts and other services sign in with')

  token
    .command('list')
    .description('list the API tokens, the newest first')
    .addOption(nameOption('--user <username>', 'only those of this user'))
    .addOption(tenantOption('only those of this tenant; with --user the tenant of the user, absent the default tenant'))
    .addOption(pageOption())
    .addOption(pageSizeOption())
    .addOption(jsonOption())
    .action(async (options: ListOptions) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        const owner = options.user === undefined ? undefined : await app.accounts.findUser(options.user, tenant)
        const query = { userId: owner?.id, tenantId: owner ? undefined : tenant }
        const paging = { pageNum: options.page, pageSize: options.pageSize }
        const found = await app.apiTokens.page(operatorActor(), { ...query, ...paging })
        const lines = toList(
          ['id', 'user', 'name', 'begins with', 'permissions', 'expires', 'last used'],
          found.records.map((row) => [
            ...[row.id, row.username, row.name, row.start, row.permissions?.join(',') ?? 'all of the user'],
            ...[row.expiry ?? 'never', row.lastUsedTime ?? ''],
          ]),
        )
        const more = `page ${found.current} of ${found.pages}, ${countOf(found.total, 'token')}`
        report(options, found, lines.length > 0 ? [...lines, more].join('\n') : `No API tokens (${more}).`)
      })
    })

  requireOption(
    requireOption(
      token.command('add').description('make an API token for a user or a service account; prints it, this once'),
      nameOption('--user <username>', 'its owner'),
    ),
    nameOption('--name <text>', 'what it is for'),
  )
    .addOption(tenantOption())
    .addOption(
      new Option('--permissions <list>', 'permissions of the owner, separated by commas; absent means all').argParser(
        readList,
      ),
    )
    .addOption(new Option('--days <number|never>', 'days until it expires; absent means 90').argParser(readDays))
    .addOption(
      new Option('--addresses <list>', 'addresses and ranges from which it may be used; absent means all').argParser(
        readList,
      ),
    )
    .addOption(jsonOption())
    .action(async ({ user, tenant, name, permissions, days, addresses, ...options }: AddOptions) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(user, await tenantId(app, tenant))
        const wanted = { name, permissions, addresses, days: days === 'never' ? null : days }
        const made = await app.apiTokens.addFor(operatorActor(), id, wanted)
        // The token alone on the standard output, for scripts that keep it.
        report(options, made, made.token)
      })
    })

  destroys(token.command('end'))
    .description('end an API token, with immediate effect')
    .argument('<id>', 'id of the token, as `token list` shows it')
    .addOption(jsonOption())
    .action(async (id: string, options: YesOption & { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const found = await app.db.apiTokens.findLive(id, app.clock.now())
        if (!found) throw problem('not_found')
        const { name, userId } = found
        await confirm(options, `End the API token ${name}?`)
        await app.apiTokens.endOf(operatorActor(), userId, id)
        report(options, { id, name }, `Ended the API token ${name}.`)
      })
    })
}

export default registerTokens
