import { hash, randomBytes } from 'node:crypto'
import type { Store } from '../../db/store.js'
import { problem } from '../errors/problem.js'
import type { Place } from './agreements.js'
import type { Proof } from './provider.js'

/** Seconds. */
const lifetime = 120
const bytes = 32

/** A proof and the platform that it comes from. */
export interface PlatformProof extends Proof {
  platform: string
}

type Kept = PlatformProof & Place

/** One-use tickets for a proven identity: 64 hex digits, bound to tenant and client, burned by any try. */
export const createTickets = (store: Store) => {
  const keyOf = (ticket: string) => `federation:ticket:${hash('sha256', ticket, 'base64url')}`
  return {
    lifetime,

    async issue(proof: PlatformProof, { tenantId, userClient }: Place): Promise<string> {
      const ticket = randomBytes(bytes).toString('hex')
      await store.set(keyOf(ticket), JSON.stringify({ ...proof, tenantId, userClient } satisfies Kept), lifetime * 1000)
      return ticket
    },

    /** Throws `invalid_grant`. */
    async take(ticket: string, place: Place): Promise<PlatformProof> {
      const text = await store.take(keyOf(ticket))
      const kept = text === undefined ? undefined : (JSON.parse(text) as Kept)
      if (kept?.tenantId !== place.tenantId || kept.userClient !== place.userClient) throw problem('invalid_grant')
      return kept
    },
  }
}

export type Tickets = ReturnType<typeof createTickets>
