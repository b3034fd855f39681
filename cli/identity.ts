import { InvalidArgumentError, type Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { toTime } from '../lib/time-text.js'
import { report, withInstalledApp } from './context.js'
import { ofUser, tenantId, type OfUser } from './options.js'
import { confirm, destroys, type YesOption } from './prompt.js'
import { toList } from './table.js'

const readId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a number, as `identity list` shows it.')
  return Number(text)
}

export const registerIdentity = (program: Command): void => {
  const identity = program
    .command('identity')
    .description('linked identities: accounts at identity providers that sign in to the account of a user')

  ofUser(identity.command('list'))
    .description('list the linked identities of a user, the oldest first')
    .action(async (username: string, options: OfUser) => {
      await withInstalledApp(async (app) => {
        const user = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        const rows = (await app.db.identities.ofUser(user.id)).map(
          ({ id, platform, issuer, subject, displayName, createTime }) => ({
            id,
            platform,
            issuer,
            subject,
            displayName,
            linkTime: toTime(createTime),
          }),
        )
        const lines = toList(
          ['id', 'provider', 'issuer', 'subject', 'name', 'linked'],
          rows.map((row) => Object.values(row).map((cell) => cell ?? '')),
        )
        report(options, rows, lines.length > 0 ? lines.join('\n') : `User ${username} has no linked identity.`)
      })
    })

  ofUser(destroys(identity.command('remove')))
    .description('unlink one identity of a user, or all of them; ends the sessions that they started')
    .argument('[id]', 'id of the linked identity; absent means all', readId)
    .action(async (username: string, id: number | undefined, options: OfUser & YesOption) => {
      await withInstalledApp(async (app) => {
        const user = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        const which = id === undefined ? 'all linked identities' : `the linked identity ${id}`
        await confirm(options, `Unlink ${which} of ${username}?`)
        const removed = await app.management.identities.removeOf(operatorActor(), user, id)
        const what = `${removed} linked ${removed === 1 ? 'identity' : 'identities'}`
        report(options, { username, removed }, `Removed ${what} of ${username}.`)
      })
    })
}
