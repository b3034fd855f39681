import { hash, randomBytes } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { Database } from '../../../db/index.js'
import type { Store } from '../../../db/repositories/store.js'
import type { User } from '../../../db/repositories/users.js'
import { hasContact, isContact, nameKey } from '../../../db/sign-in-names.js'
import type { Clock } from '../../../lib/clock.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import type { AuthenticatedUser, UseProof } from '../../sessions/sessions/start.js'
import { factorStateOf, passwordStateOf } from './credential-state.js'
import { spend } from './spend.js'

/** Validity of a ticket, seconds. */
const lifetime = 600
const bytes = 32
/** Wrong answers that end a ticket. */
export const maxTries = 5

/** `finish`: a factor of the account is asked for; `setup`: a first one is to be enrolled. */
export type TicketPurpose = 'finish' | 'setup'

const Stored = Type.Object({
  userId: Type.Integer(),
  tenantId: Type.Integer(),
  password: Type.String({ description: 'State of the password: its change ends the ticket' }),
  factors: Type.String({ description: 'The same of the factors of the account' }),
  identityId: Type.Optional(Type.Integer()),
  userClient: Type.String(),
  first: Type.String({ description: 'The first method' }),
  amr: Type.Array(Type.String()),
  subject: Type.Optional(
    Type.Object({
      kind: Type.Union([Type.Literal('username'), Type.Literal('phone'), Type.Literal('email')]),
      text: Type.String(),
    }),
  ),
  hasUsedCode: Type.Boolean(),
  provedContact: Type.Optional(
    Type.String({ description: '`nameKey` of the contact proved by a code, before a first factor is set up' }),
  ),
  purpose: Type.Union([Type.Literal('finish'), Type.Literal('setup')]),
})
type Stored = Static<typeof Stored>
const readStored = jsonReader(Stored)

/** The first step of a sign-in, which has been proved. */
export type FirstStep = Pick<Stored, 'first' | 'amr' | 'subject' | 'hasUsedCode' | 'userClient'>

/** A ticket that was found, with the account as it is now. */
export interface FoundTicket {
  provedContact: string | undefined
  /** Notes that its holder has proved the contact with this `nameKey`. */
  noteContact: (provedContact: string) => Promise<void>
  user: AuthenticatedUser
  step: FirstStep
  /** Counts a try. Throws `invalid_grant` beyond the fifth; resolves to how many are left. */
  countTry: () => Promise<number>
  /** Throws `invalid_grant` when password, factors or the proved contact are no longer those for which the ticket was given. */
  recheck: UseProof
  /** Uses the ticket up unless `work` fails: of parallel callers one runs it, the others get `invalid_grant`. */
  spend: <T>(work: () => Promise<T>) => Promise<T>
}

/** What a request says beside the ticket. */
export interface TicketTarget {
  tenantId?: number | undefined
  userClient?: string | undefined
}

/** Whether the account still has the contact to which the code of the first step went. */
const hasProver = (user: User, { subject, hasUsedCode }: FirstStep): boolean =>
  !hasUsedCode || !subject || !isContact(subject) || hasContact(user, nameKey(subject))

/** Tickets of sign-ins whose first step succeeded. A ticket is good for one session; only its hash is stored. */
export const createFactorTickets = (store: Store, db: Pick<Database, 'users'>, clock: Clock) => {
  const keyOf = (ticket: string) => `factor:ticket:${hash('sha256', ticket, 'base64url')}`

  return {
    lifetime,

    /** `factors` is the state of the factors of the account: its change ends the ticket. */
    async issue(user: AuthenticatedUser, step: FirstStep, purpose: TicketPurpose, factors: string): Promise<string> {
      const ticket = randomBytes(bytes).toString('base64url')
      const { id: userId, tenantId, identityId } = user
      const stored: Stored = {
        ...{ userId, tenantId, password: passwordStateOf(user), factors },
        ...{ ...step, purpose },
        ...(identityId === undefined ? {} : { identityId }),
      }
      await store.set(keyOf(ticket), JSON.stringify(stored), lifetime * 1000)
      return ticket
    },

    /** Throws `invalid_grant` for a ticket of another purpose, tenant or client, or from before a change of what it was given for. */
    async find(ticket: string, purpose: TicketPurpose, target: TicketTarget = {}): Promise<FoundTicket> {
      const key = keyOf(ticket)
      const entry = (await store.getMany([key])).get(key)
      const stored = entry && readStored(entry.value)
      if (!entry || stored?.purpose !== purpose) throw problem('invalid_grant')
      const { userId, tenantId, password, factors, identityId, provedContact, ...step } = stored
      const isOther =
        (target.tenantId ?? tenantId) !== tenantId || (target.userClient ?? step.userClient) !== step.userClient
      const readUser = async ({ users }: Pick<Database, 'users'>): Promise<User> => {
        const user = await users.find(userId)
        // Nothing is asked about factors before the last moment but whether there are any.
        const isSame = user?.tenantId === tenantId && passwordStateOf(user) === password && hasProver(user, step)
        if (!isSame || (purpose === 'setup' && user.hasSecondFactor)) throw problem('invalid_grant')
        return user
      }
      if (isOther) throw problem('invalid_grant')
      const user = await readUser(db)
      return {
        user: { ...user, identityId },
        step,
        provedContact,
        noteContact: (proved) =>
          store.set(
            key,
            JSON.stringify({ ...stored, provedContact: proved } satisfies Stored),
            Math.max(1, entry.expiry - clock.now()),
          ),
        async countTry() {
          const { count } = await store.increment(`${key}:tries`, 1, lifetime * 1000)
          if (count > maxTries) throw problem('invalid_grant')
          return maxTries - count
        },
        async recheck(inside) {
          if ((await factorStateOf(inside, await readUser(inside))) !== factors) throw problem('invalid_grant')
        },
        spend: (work) => spend(store, clock, key, work),
      }
    },

    /** Ends a ticket. */
    end: (ticket: string): Promise<void> => store.delete([keyOf(ticket)]),
  }
}

export type FactorTickets = ReturnType<typeof createFactorTickets>
