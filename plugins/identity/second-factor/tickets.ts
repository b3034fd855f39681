import { hash, randomBytes } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import type { User, UserRepository } from '../../../db/repositories/users.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import type { AuthenticatedUser } from '../../sessions/sessions/start.js'

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
  password: Type.String({ description: 'Hash of the password hash: a change of the password ends the ticket' }),
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
  purpose: Type.Union([Type.Literal('finish'), Type.Literal('setup')]),
})
type Stored = Static<typeof Stored>
const readStored = jsonReader(Stored)

/** The first step of a sign-in, which has been proved. */
export type FirstStep = Pick<Stored, 'first' | 'amr' | 'subject' | 'hasUsedCode' | 'userClient'>

/** A ticket that was found, with the account as it is now. */
export interface FoundTicket {
  user: AuthenticatedUser
  step: FirstStep
  /** Counts a try. Throws `invalid_grant` beyond the fifth; resolves to how many are left. */
  countTry: () => Promise<number>
  /** Uses the ticket up: of parallel callers one succeeds, the others get `invalid_grant`. */
  take: () => Promise<void>
}

const digest = (passwordHash: string | null): string => hash('sha256', passwordHash ?? '', 'base64url')

/** What a request says beside the ticket. */
export interface TicketTarget {
  tenantId?: number | undefined
  userClient?: string | undefined
}

/** Tickets of sign-ins whose first step succeeded. A ticket is good for one session; only its hash is stored. */
export const createFactorTickets = (store: Store, users: Pick<UserRepository, 'find'>) => {
  const keyOf = (ticket: string) => `factor:ticket:${hash('sha256', ticket, 'base64url')}`

  return {
    lifetime,

    async issue(user: AuthenticatedUser, step: FirstStep, purpose: TicketPurpose): Promise<string> {
      const ticket = randomBytes(bytes).toString('base64url')
      const { id: userId, tenantId, identityId, passwordHash } = user
      const stored: Stored = {
        ...{ userId, tenantId, password: digest(passwordHash), ...step, purpose },
        ...(identityId === undefined ? {} : { identityId }),
      }
      await store.set(keyOf(ticket), JSON.stringify(stored), lifetime * 1000)
      return ticket
    },

    /** Throws `invalid_grant` for a ticket of another purpose, tenant or client, or from before a change of the password. */
    async find(ticket: string, purpose: TicketPurpose, target: TicketTarget = {}): Promise<FoundTicket> {
      const key = keyOf(ticket)
      const text = await store.get(key)
      const stored = text === undefined ? undefined : readStored(text)
      if (stored?.purpose !== purpose) throw problem('invalid_grant')
      const { userId, tenantId, password, identityId, ...step } = stored
      const isOther =
        (target.tenantId ?? tenantId) !== tenantId || (target.userClient ?? step.userClient) !== step.userClient
      const user: User | undefined = isOther ? undefined : await users.find(userId)
      if (user?.tenantId !== tenantId || digest(user.passwordHash) !== password) throw problem('invalid_grant')
      return {
        user: { ...user, identityId },
        step,
        async countTry() {
          const { count } = await store.increment(`${key}:tries`, 1, lifetime * 1000)
          if (count > maxTries) throw problem('invalid_grant')
          return maxTries - count
        },
        async take() {
          if ((await store.take(key)) === undefined) throw problem('invalid_grant')
        },
      }
    },

    /** Ends a ticket. */
    end: (ticket: string): Promise<void> => store.delete([keyOf(ticket)]),
  }
}

export type FactorTickets = ReturnType<typeof createFactorTickets>
