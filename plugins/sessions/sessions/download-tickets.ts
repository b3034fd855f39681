import { hash, randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import { checkSession } from './validate-session.js'

/** Validity of a ticket, seconds: it is used at once. */
const lifetime = 60
const bytes = 32

const readStored = jsonReader(Type.Object({ session: Type.String(), asked: Type.String() }))

const placeOf = (ticket: string): string => `download:${hash('sha256', ticket, 'base64url')}`

/**
 * Tickets by which a browser downloads a file without an Authorization header, which a link cannot send. A ticket is good once, for what was
 * asked for in a session, while this session is live; only its hash is stored.
 */
export const createDownloadTickets = (store: Store, sessions: Pick<Database['sessions'], 'find'>, clock: Clock) => ({
  /** `asked` is what the ticket is for, as JSON. */
  async issue({ session }: SessionOwner, asked: string): Promise<{ ticket: string; expiresIn: number }> {
    const ticket = randomBytes(bytes).toString('base64url')
    await store.set(placeOf(ticket), JSON.stringify({ session: session.id, asked }), lifetime * 1000)
    return { ticket, expiresIn: lifetime }
  },

  /** Of parallel requests one gets what was asked for. Throws `invalid_grant` and the reasons of an ended session. */
  async take(ticket: string): Promise<{ owner: SessionOwner; asked: string }> {
    const stored = readStored((await store.take(placeOf(ticket))) ?? '')
    if (!stored) throw problem('invalid_grant')
    const owner = checkSession(await sessions.find(stored.session), clock.now(), () => true)
    return { owner, asked: stored.asked }
  },
})

export type DownloadTickets = ReturnType<typeof createDownloadTickets>
