import type { Needs } from '../../../lib/needs.js'
import { accountOf } from '../../../lib/account-of.js'
import type { Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { User } from '../../../db/repositories/users.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorOfCaller, actorWithoutSession } from '../../../lib/actor.js'
import { problem } from '../../../lib/problem.js'
import type { ContactProof, EnrolledFactor, Factor } from '../../../schemas/factors.js'
import type { CompleteOptions } from '../../entry/complete.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { ProvedFactor } from '../../identity/second-factor/factors.js'
import type { FoundTicket } from '../../identity/second-factor/tickets.js'
import type { StartedSession, UseProof } from '../../sessions/sessions/start.js'

/** Who sets a factor up: a signed-in user, or somebody with the ticket of a sign-in that asks for it. */
export type Enroller = { user: User; owner: string; recheck: UseProof } & (
  { caller: SessionOwner; found?: undefined } | { caller?: undefined; found: FoundTicket }
)

/** A factor that was set up and, with a ticket, the session that has started. */
export interface AddedFactor {
  enrolled: EnrolledFactor
  session?: StartedSession | undefined
}

/** A factor that was proved and is to be stored. */
export interface FactorToAdd {
  factor: Factor
  proved: Omit<ProvedFactor, 'use'>
  /** Throws `factor_limit_reached`. */
  checkRoom: (repositories: Repositories, user: User) => Promise<void>
  /** Uses up what has proved the factor, and stores it. */
  add: (repositories: Repositories) => Promise<void>
}

/** What is the same for all kinds of factors that users set up. */
export const createAddFactor = (
  needs: Needs<'accounts' | 'audit' | 'clock' | 'db' | 'entry' | 'notices' | 'oneTimeCodes' | 'secondFactor'>,
) => {
  const { audit, clock, db, entry, notices } = needs
  const { writes, provePasswordOrFactor } = needs.accounts
  const { setup: setupCodes } = needs.oneTimeCodes
  const { credentialStateOf, policy, replaceRecoveryCodes, tickets } = needs.secondFactor

  /** Throws `invalid_grant` when the password or the factors have changed since the set-up began. */
  const recheckFor =
    (id: number, state: string): UseProof =>
    async (inside) => {
      const current = await inside.users.find(id)
      if (!current || (await credentialStateOf(inside, current)) !== state) throw problem('invalid_grant')
    }

  return {
    /** Throws `unsupported_auth_type` where no new factors are offered, `invalid_grant` for a ticket, and `token_missing`. */
    async readEnroller(caller: SessionOwner | undefined, ticket: string | undefined): Promise<Enroller> {
      if (policy.policy === 'off') throw problem('unsupported_auth_type')
      if (ticket !== undefined) {
        const found = await tickets.find(ticket, 'setup')
        return { found, user: found.user, owner: ticket, recheck: found.recheck }
      }
      if (!caller) throw problem('token_missing')
      const { user, session } = caller
      const state = await credentialStateOf(db, user)
      // What is begun in one state cannot be finished in another: then a first factor would ask for less than a further one.
      return { caller, user, owner: `${session.id} ${state}`, recheck: recheckFor(user.id, state) }
    },

    /** Throws `fresh_sign_in_required` for a first factor and `step_up_required` for another one. A ticket is fresh. */
    async checkFresh({ caller }: Enroller, password: string | undefined, client: ClientContext): Promise<void> {
      if (caller) await provePasswordOrFactor(caller, password, client.address)
    },

    /**
     * With a ticket, the code to the contact of the account is checked besides: once, so that a wrong code of an app can be corrected. What
     * only begins a set-up (`isBegin`) needs none yet. Throws `contact_code_required`, `invalid_code` and `too_many_attempts`.
     */
    async proveContact(
      { found, owner }: Enroller,
      proof: ContactProof,
      client: ClientContext,
      isBegin = false,
    ): Promise<void> {
      if (!found || (isBegin && proof.contactCode === undefined)) return
      const proved = await setupCodes.prove({ ...found, ticket: owner }, proof, client)
      if (proved !== undefined) await found.noteContact(proved)
    },

    /**
     * Stores the factor, with recovery codes if it is the first one. With a ticket the same transaction starts the session: a sign-in that is
     * refused leaves no factor behind.
     */
    async add(
      enroller: Enroller,
      toAdd: FactorToAdd,
      client: ClientContext,
      options: CompleteOptions,
    ): Promise<AddedFactor> {
      const { caller, found, user, recheck } = enroller
      const { factor, proved } = toAdd
      const { name, kind } = factor
      const now = clock.now()
      const actor = caller ? actorOfCaller(caller, client) : actorWithoutSession(user, client)
      let recoveryCodes: string[] | undefined
      const store = async (inside: Repositories): Promise<void> => {
        const current = await inside.users.find(user.id)
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
        recoveryCodes = current?.hasSecondFactor ? undefined : await replaceRecoveryCodes(inside, user.id)
      }
      const storeAlone = (): Promise<void> =>
        db.transaction(
          async (inside) => {
            await recheck(inside)
            await store(inside)
          },
          { user: user.id },
        )
      let session: StartedSession | undefined
      if (found) {
        const withFactor = { ...found, user: { ...found.user, hasSecondFactor: true } }
        const whole = await entry.proveWithFactor(withFactor, { ...proved, use: store }, client)
        session = entry.sessionOf(await entry.complete(whole, client, options))
      } else await storeAlone()
      // The browser in which the factor was set up is known for second steps.
      client.devices.noteFactor(accountOf(user))
      notices.tell(user, 'factor_added', client, { factor: name })
      const enrolled = { factor, ...(recoveryCodes && { recoveryCodes }), ...(session && { session: session.result }) }
      return { enrolled, session }
    },
  }
}

export type AddFactor = ReturnType<typeof createAddFactor>
