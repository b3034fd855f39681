import type { Database, Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { User } from '../../../db/repositories/users.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorOfCaller, actorWithoutSession } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import type { EnrolledFactor, Factor } from '../../../schemas/factors.js'
import type { LoginResult } from '../../../schemas/login.js'
import type { ClientContext } from '../../identity/login/client-context.js'
import type { ProvedFactor } from '../../identity/second-factor/factors.js'
import type { replaceRecoveryCodes } from '../../identity/second-factor/recovery-codes.js'
import type { FactorPolicies } from '../../identity/second-factor/policy.js'
import type { FactorTickets, FoundTicket } from '../../identity/second-factor/tickets.js'
import type { Audit } from '../../record/audit/audit.js'
import type { Notices } from '../../record/notices/notices.js'
import type { Administration } from '../write/administration.js'
import type { createReauthenticate } from '../write/reauthenticate.js'

export interface AddFactorCollaborators {
  db: Database
  writes: Administration['writes']
  reauthenticate: ReturnType<typeof createReauthenticate>
  tickets: Pick<FactorTickets, 'find'>
  policy: Pick<FactorPolicies, 'policy'>
  replaceRecoveryCodes: typeof replaceRecoveryCodes
  /** Starts the session for which a factor had to be set up first. */
  finishSignIn: (
    proved: Pick<FoundTicket, 'user' | 'step'>,
    factor: ProvedFactor,
    client: ClientContext,
  ) => Promise<LoginResult>
  audit: Pick<Audit, 'record'>
  notices: Pick<Notices, 'tell'>
  clock: Clock
}

/** Who sets a factor up: a signed-in user, or somebody with the ticket of a sign-in that asks for it. */
export type Enroller =
  | { caller: SessionOwner; found?: undefined; user: User; owner: string }
  | { caller?: undefined; found: FoundTicket; user: User; owner: string }

/** A factor that was proved and is to be stored. */
export interface FactorToAdd {
  factor: Factor
  proved: ProvedFactor
  /** Throws `factor_limit_reached`. */
  checkRoom: (repositories: Repositories, user: User) => Promise<void>
  add: (repositories: Repositories) => Promise<void>
}

/** What is the same for all kinds of factors that users set up. */
export const createAddFactor = (collaborators: AddFactorCollaborators) => {
  const { db, writes, reauthenticate, tickets, policy, replaceRecoveryCodes, finishSignIn, audit, notices, clock } =
    collaborators

  return {
    /** Throws `unsupported_auth_type` where no new factors are offered, `invalid_grant` for a ticket, and `token_missing`. */
    async readEnroller(caller: SessionOwner | undefined, ticket: string | undefined): Promise<Enroller> {
      if (policy.policy === 'off') throw problem('unsupported_auth_type')
      if (ticket !== undefined) {
        const found = await tickets.find(ticket, 'setup')
        return { found, user: found.user, owner: ticket }
      }
      if (!caller) throw problem('token_missing')
      return { caller, user: caller.user, owner: caller.session.id }
    },

    /** Throws `fresh_sign_in_required` for a first factor and `step_up_required` for another one. A ticket is fresh. */
    async checkFresh({ caller }: Enroller, password: string | undefined, client: ClientContext): Promise<void> {
      if (caller) await reauthenticate(caller, password, client.address)
    },

    /** Stores the factor, with recovery codes if it is the first one. With a ticket it then starts the session. */
    async add(enroller: Enroller, toAdd: FactorToAdd, client: ClientContext): Promise<EnrolledFactor> {
      const { caller, found, user } = enroller
      const { factor, proved } = toAdd
      const { name, kind } = factor
      const now = clock.now()
      const actor = caller ? actorOfCaller(caller, client) : actorWithoutSession(user, client)
      const recoveryCodes = await db.transaction(
        async (inside) => {
          const current = await inside.users.find(user.id)
          if (!current) throw problem('invalid_grant')
          await toAdd.checkRoom(inside, user)
          await toAdd.add(inside)
          const session = caller?.session
          await writes.noteFactors(inside, user.id, session?.id)
          if (session)
            await inside.sessions.setAuthentication(session.id, {
              ...{ acr: 'aal2', amr: [...new Set([...session.amr, ...proved.amr])], authTime: now, factorTime: now },
            })
          await audit.record(inside, actor, {
            ...{ action: 'user.factor', target: userTarget(user), after: { kind, name } },
          })
          return current.hasSecondFactor ? undefined : replaceRecoveryCodes(inside, user.id)
        },
        { user: user.id },
      )
      notices.tell(user, 'factor_added', client, { factor: name })
      const session =
        found &&
        (await finishSignIn({ user: { ...found.user, hasSecondFactor: true }, step: found.step }, proved, client))
      return { factor, ...(recoveryCodes ? { recoveryCodes } : {}), ...(session ? { session } : {}) }
    },
  }
}

export type AddFactor = ReturnType<typeof createAddFactor>
