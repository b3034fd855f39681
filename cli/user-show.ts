import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameArgument, tenantId, tenantOption } from './options.js'
import { confirm, destroys, type YesOption } from './prompt.js'
import { toRow } from './table.js'

interface UserOptions {
  tenant?: string
  json?: boolean
}

export const registerUserShow = (user: Command): void => {
  user
    .command('show')
    .description('show a user')
    .addArgument(nameArgument())
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (username: string, options: UserOptions) => {
      await withInstalledApp(async (app) => {
        const { id, passwordHash } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        // A hash that an earlier version imported may cost too much to be computed.
        const passwordResetNeeded = passwordHash !== null && !app.passwords.isUsable(passwordHash)
        const shown = { ...(await app.management.get(operatorActor(), id)), passwordResetNeeded }
        const lines = Object.entries(shown).map(([name, value]) => toRow([name, [value].flat().join(', ')]))
        report(options, shown, lines.join('\n'))
      })
    })

  destroys(user.command('delete'))
    .description('delete a user, with sessions, linked identities and contacts; the user name is free again')
    .addArgument(nameArgument())
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (username: string, options: UserOptions & YesOption) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        await confirm(options, `Delete the user ${username} (id ${id}), with sessions, linked identities and contacts?`)
        await app.management.act(operatorActor(), id, 'delete')
        report(options, { id, username }, `Deleted user ${username} (id ${id}).`)
      })
    })
}
