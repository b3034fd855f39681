import { countOf } from '../lib/count-of.js'
import type { Command } from 'commander'
import { toTime } from '../lib/time-text.js'
import { report, withInstalledApp } from './context.js'
import { ofUser, tenantId, type OfUser } from './options.js'
import { toList } from './table.js'

export const registerSession = (program: Command): void => {
  const session = program.command('session').description('sessions of a user')

  ofUser(session.command('list'))
    .description('list the live sessions of a user, latest first')
    .action(async (username: string, options: OfUser) => {
      await withInstalledApp(async (app) => {
        const sessions = await app.accounts.listSessions(username, await tenantId(app, options.tenant))
        const rows = sessions.map(({ id, userClient, loginIp, userAgent, createTime, lastActiveTime }) => ({
          id,
          userClient,
          loginIp,
          userAgent,
          loginTime: toTime(createTime),
          lastActiveTime: toTime(lastActiveTime),
        }))
        const lines = toList(
          ['id', 'client', 'address', 'user agent', 'signed in', 'last active'],
          rows.map((row) => Object.values(row)),
        )
        report(options, rows, lines.length > 0 ? lines.join('\n') : `User ${username} has no live session.`)
      })
    })

  ofUser(session.command('end'))
    .description('end one session of a user, or all of them')
    .argument('[id]', 'id of the session; absent means all')
    .action(async (username: string, id: string | undefined, options: OfUser) => {
      await withInstalledApp(async (app) => {
        const ended = await app.accounts.endSessions(username, id, await tenantId(app, options.tenant))
        report(options, { username, ended }, `Ended ${countOf(ended, 'session')} of ${username}.`)
      })
    })
}
