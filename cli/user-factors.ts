import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { countOf } from '../lib/count-of.js'
import type { UserFactors } from '../schemas/factors.js'
import { report, withInstalledApp } from './context.js'
import { ofUser, tenantId, type OfUser } from './options.js'
import { confirm, destroys, type YesOption } from './prompt.js'
import { toList } from './table.js'

const requirementOf = ({ policy, exempt, deadline }: UserFactors): string => {
  if (exempt) return 'No policy asks for a second factor.'
  if (policy !== 'required') return 'A second factor is not required.'
  const until = deadline === null ? '' : `; without one the user can sign in until ${deadline}`
  return `A second factor is required${until}.`
}

const show = (user: Command) =>
  ofUser(user.command('factors'))
    .description('show the second factors of a user, and whether one is required')
    .action(async (username: string, options: OfUser) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        const found = await app.management.factors.get(operatorActor(), id)
        const lines = toList(
          ['id', 'kind', 'name', 'set up', 'last used'],
          found.factors.map(({ id, kind, name, createTime, lastUsedTime }) => [
            ...[id, kind, name, createTime, lastUsedTime ?? ''],
          ]),
        )
        const left = `${countOf(found.recoveryCodesLeft, 'recovery code')} left, ${countOf(found.trustedDevices.length, 'trusted device')}.`
        report(options, found, [...lines, left, requirementOf(found)].join('\n'))
      })
    })

const reset = (user: Command) =>
  ofUser(destroys(user.command('reset-factors')))
    .description('remove the second factors of a user who has lost them; ends the sessions of the user')
    .action(async (username: string, options: OfUser & YesOption) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        await confirm(options, `Remove all second factors of ${username}, with recovery codes, and end the sessions?`)
        const removed = (await app.management.factors.reset(operatorActor(), id)).length
        report(options, { id, username, removed }, `Removed ${countOf(removed, 'second factor')} of ${username}.`)
      })
    })

const exempt = (user: Command) =>
  ofUser(user.command('exempt').option('--off', 'end the exemption'))
    .description('exempt an account, such as that of a program, from required second factors')
    .action(async (username: string, options: OfUser & { off?: boolean }) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        const factorExempt = !(options.off ?? false)
        await app.management.edit(operatorActor(), id, { factorExempt })
        const is = factorExempt ? 'is exempt' : 'is not exempt'
        report(options, { id, username, factorExempt }, `User ${username} ${is} from required second factors.`)
      })
    })

/** Commands about second factors of a user. */
export const registerUserFactors = (user: Command): void => {
  show(user)
  reset(user)
  exempt(user)
}
