import { hash, randomBytes } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Store } from '../../db/repositories/store.js'
import { jsonReader } from '../../lib/json-reader.js'
import type { UserClient } from '../../schemas/login.js'
import { problem } from '../../lib/problem.js'
import type { Place } from './agreements.js'
import type { Proof } from './provider.js'

/** Seconds. */
const lifetime = 120
const bytes = 32

/** A proof and the platform that it comes from. */
export interface PlatformProof extends Proof {
  platform: string
}

const Kept = Type.Object({
  issuer: Type.String(),
  subject: Type.String(),
  displayName: Type.Union([Type.String(), Type.Null()]),
  platform: Type.String(),
  tenantId: Type.Integer(),
  userClient: Type.Unsafe<UserClient>(Type.String()),
  session: Type.Optional(
    Type.String({ description: 'Id of the session in which the sign-in at the platform began, if any' }),
  ),
} satisfies Record<keyof PlatformProof | keyof Place | 'session', TSchema>)
type Kept = Static<typeof Kept>
const readKept = jsonReader(Kept)

/** One-use tickets for a proven identity: 64 hex digits, bound to tenant and client, burned by any try. */
export const createTickets = (store: Store) => {
  const keyOf = (ticket: string) => `federation:ticket:${hash('sha256', ticket, 'base64url')}`

  const take = async (ticket: string, place: Place): Promise<Kept> => {
    const text = await store.take(keyOf(ticket))
    const kept = text === undefined ? undefined : readKept(text)
    if (kept?.tenantId !== place.tenantId || kept.userClient !== place.userClient) throw problem('invalid_grant')
    return kept
  }

  return {
    lifetime,

    async issue(proof: PlatformProof, { tenantId, userClient }: Place, session: string | undefined): Promise<string> {
      const ticket = randomBytes(bytes).toString('hex')
      const kept: Kept = { ...proof, tenantId, userClient, session }
      await store.set(keyOf(ticket), JSON.stringify(kept), lifetime * 1000)
      return ticket
    },

    /** For a sign-in. Throws `invalid_grant`. */
    take: (ticket: string, place: Place): Promise<PlatformProof> => take(ticket, place),

    /**
     * For linking, which only the session that began may do: a stranger who makes somebody's browser send the ticket of
     * the stranger would otherwise sign in to that account afterwards. Throws `invalid_grant`.
     */
    async takeToLink(ticket: string, place: Place, session: string): Promise<PlatformProof> {
      const kept = await take(ticket, place)
      if (kept.session !== session) throw problem('invalid_grant')
      return kept
    },
  }
}

export type Tickets = ReturnType<typeof createTickets>
