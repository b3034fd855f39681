import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { cleanCopied } from '../lib/copied-text.js'
import { countOf } from '../lib/count-of.js'
import { renamingFields } from '../lib/problem.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, tenantId, tenantOption, type OfUser } from './options.js'

export const registerUserInvite = (user: Command): void => {
  user
    .command('invite')
    .description(
      'send users an invitation, up to 100 at a time, leaving out those who have a password; all others or nobody',
    )
    .argument('<username...>')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (usernames: string[], options: OfUser) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        const names = [...new Set(usernames.map((name) => cleanCopied(name)))]
        const ids: number[] = []
        for (const username of names) {
          const { id } = await renamingFields(app.accounts.findUser(username, tenant), () => username)
          ids.push(id)
        }
        const nameOf = (field: string): string => names[Number(/^ids\.(\d+)$/.exec(field)?.[1])] ?? field
        const batch = app.management.batch(operatorActor(), { ids, action: 'invite' })
        const { invited } = await renamingFields(batch, nameOf)
        const isEach = invited === ids.length
        const who = isEach ? countOf(invited, 'user') : `${invited} of ${countOf(ids.length, 'user')}`
        const rest = isEach ? '' : ' Those left out have a password or were invited less than a minute ago.'
        report(options, { ids, usernames: names, invited }, `Invited ${who}: ${names.join(', ')}.${rest}`)
      })
    })
}
