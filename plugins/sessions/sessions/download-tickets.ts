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
/** Tickets of a session that are good at the same time: a further one takes the place of the earliest. */
const maxTickets = 8

const readStored = jsonReader(Type.Object({ ticket: Type.String(), session: Type.String(), asked: Type.String() }))

const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** A ticket is `owner.number.secret`, of which the first two say where it is stored. */
const placeOf = (ticket: string): string => `download:${ticket.slice(0, ticket.lastIndexOf('.'))}`

/**
 * Tickets by which a browser downloads a file without an Authorization header, which a link cannot send. A ticket is good once, for what was
 * asked for in a session, while this session is live; only its hash is stored.
 */
export const createDownloadTickets = (store: Store, sessions: Pick<Database['sessions'], 'find'>, clock: Clock) => ({
  /** `asked` is what the ticket is for, as JSON. */
  async issue({ session }: SessionOwner, asked: string): Promise<{ ticket: string; expiresIn: number }> {
    const owner = hashOf(session.id)
    const { count } = await store.increment(`download:${owner}.count`, 1, lifetime * 1000)
    const ticket = [owner, count % maxTickets, randomBytes(bytes).toString('base64url')].join('.')
    const stored = { ticket: hashOf(ticket), session: session.id, asked }
    await store.set(placeOf(ticket), JSON.stringify(stored), lifetime * 1000)
    return { ticket, expiresIn: lifetime }
  },

  /** Of parallel requests one gets what was asked for. Throws `invalid_grant` and the reasons of an ended session. */
  async take(ticket: string): Promise<{ owner: SessionOwner; asked: string }> {
    const place = placeOf(ticket)
    const check = (text = '') => {
      const stored = readStored(text)
      if (stored?.ticket !== hashOf(ticket)) throw problem('invalid_grant')
      return stored
    }
    // Before it is taken: a wrong ticket must not use up the right one of its place.
    check(await store.get(place))
    const stored = check(await store.take(place))
    const owner = checkSession(await sessions.find(stored.session), clock.now(), () => true)
    return { owner, asked: stored.asked }
  },
})

export type DownloadTickets = ReturnType<typeof createDownloadTickets>
