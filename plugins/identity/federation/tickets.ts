import { hash, randomBytes } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { UserClient } from '../../../schemas/login.js'
import { problem } from '../../../lib/problem.js'
import type { SignInTarget } from './authorization-requests.js'
import type { VerifiedIdentity } from './provider.js'

/** Lifetime of a ticket, seconds. */
const lifetime = 120
const bytes = 32

/** A verified identity and its platform. */
export interface PlatformIdentity extends VerifiedIdentity {
  platform: string
}

const Stored = Type.Object({
  issuer: Type.String(),
  subject: Type.String(),
  displayName: Type.Union([Type.String(), Type.Null()]),
  platform: Type.String(),
  isTwoFactors: Type.Optional(Type.Boolean()),
  tenantId: Type.Integer(),
  userClient: Type.Unsafe<UserClient>(Type.String()),
  session: Type.Optional(
    Type.String({ description: 'Id of the session in which the sign-in at the platform began, if any' }),
  ),
} satisfies Record<keyof PlatformIdentity | keyof SignInTarget | 'session', TSchema>)
type Stored = Static<typeof Stored>
const readStored = jsonReader(Stored)

/**
 * Tickets for verified identities: 64 hex digits, bound to tenant and client. Any try, even a wrong one, uses the ticket
 * up.
 */
export const createTickets = (store: Store) => {
  const keyOf = (ticket: string) => `federation:ticket:${hash('sha256', ticket, 'base64url')}`

  const take = async (ticket: string, target: SignInTarget): Promise<Stored> => {
    const text = await store.take(keyOf(ticket))
    const stored = text === undefined ? undefined : readStored(text)
    if (stored?.tenantId !== target.tenantId || stored.userClient !== target.userClient) throw problem('invalid_grant')
    return stored
  }

  return {
    lifetime,

    async issue(
      identity: PlatformIdentity,
      { tenantId, userClient }: SignInTarget,
      session: string | undefined,
    ): Promise<string> {
      const ticket = randomBytes(bytes).toString('hex')
      const stored: Stored = { ...identity, tenantId, userClient, session }
      await store.set(keyOf(ticket), JSON.stringify(stored), lifetime * 1000)
      return ticket
    },

    /** Uses up a ticket to sign in. Throws `invalid_grant`. */
    take: (ticket: string, target: SignInTarget): Promise<PlatformIdentity> => take(ticket, target),

    /**
     * Uses up a ticket to link its identity. Only the session that started the sign-in at the platform may do this: an
     * attacker could otherwise make a victim's browser send the attacker's ticket, and then sign in as the victim (CSRF).
     * Throws `invalid_grant`.
     */
    async takeToLink(ticket: string, target: SignInTarget, session: string): Promise<PlatformIdentity> {
      const stored = await take(ticket, target)
      if (stored.session !== session) throw problem('invalid_grant')
      return stored
    },
  }
}

export type Tickets = ReturnType<typeof createTickets>
