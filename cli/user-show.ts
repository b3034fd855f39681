import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { ofUser, tenantId, type OfUser } from './options.js'
import { confirm, destroys, type YesOption } from './prompt.js'
import { toRow } from './table.js'

export const registerUserShow = (user: Command): void => {
  ofUser(user.command('show'))
    .description('show a user')
    .action(async (username: string, options: OfUser) => {
      await withInstalledApp(async (app) => {
        const { id, passwordHash } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        // A hash that an earlier version imported may cost too much to be computed.
        const passwordResetNeeded = passwordHash !== null && !app.passwords.isUsable(passwordHash)
        const shown = { ...(await app.management.get(operatorActor(), id)), passwordResetNeeded }
        const lines = Object.entries(shown).map(([name, value]) => toRow([name, [value].flat().join(', ')]))
        report(options, shown, lines.join('\n'))
      })
    })

  ofUser(destroys(user.command('delete')))
    .description('delete a user, with sessions, linked identities and contacts; the user name is free again')
    .action(async (username: string, options: OfUser & YesOption) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        await confirm(options, `Delete the user ${username} (id ${id}), with sessions, linked identities and contacts?`)
        await app.management.act(operatorActor(), id, 'delete')
        report(options, { id, username }, `Deleted user ${username} (id ${id}).`)
      })
    })
}
