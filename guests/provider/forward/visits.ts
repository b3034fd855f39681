import { hash, randomBytes } from 'node:crypto'
import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { Clock } from '../../../lib/clock.js'
import type { Client } from '../repositories/clients.js'
import type { Visit } from '../repositories/visits.js'
import type { IdentityHeader } from './identity-headers.js'

interface Collaborators {
  db: Pick<Database, 'createUserCache' | 'providerClients' | 'providerVisits' | 'sessions'>
  clock: Clock
  identityHeaders: (client: Client, owner: SessionOwner) => Promise<Record<IdentityHeader, string>>
}

/** What the cookie of a protected host stands for, as it was when something of it changed last. */
export interface Visitor {
  client: Client
  /** The session may be over: see `checkSession`. */
  owner: SessionOwner
  headers: Record<IdentityHeader, string>
}

/** Of a user: one whose browser comes again and again has the latest. */
const maxVisits = 500
/** Each picture of a page asks. One visitor takes some 3 KB. */
const cacheLimits = { max: 5000, maxSize: 16 * 2 ** 20, maxPictures: 0 }

/** The value of a cookie of ours, and nothing else. */
export const isCookieValue = (text: string): boolean => /^[\w-]{43}$/.test(text)
export const makeCookieValue = (): string => randomBytes(32).toString('base64url')

/** What the cookies of protected hosts stand for. The database has only their hashes, and that of one host finds nothing at another. */
export const createVisits = ({ db, clock, identityHeaders }: Collaborators) => {
  const cache = db.createUserCache<Visitor & { user: { id: number; avatar: null } }>(cacheLimits)
  const hashOf = (host: string, value: string): string => hash('sha256', `visit ${host} ${value}`, 'base64url')

  const read = async (host: string, value: string) => {
    const idHash = hashOf(host, value)
    const [client, visit] = await Promise.all([db.providerClients.ofHost(host), db.providerVisits.find(idHash)])
    const owner = visit && (await db.sessions.find(visit.sessionId))
    if (!client || client.id !== visit?.clientId || owner?.user.id !== visit.userId) return undefined
    const user = { id: visit.userId, avatar: null }
    return { user, client, owner, headers: await identityHeaders(client, owner) }
  }

  return {
    /** Returns the value of the cookie. `expiry` is that of the session, epoch milliseconds. */
    async start(host: string, visit: Omit<Visit, 'idHash' | 'createTime'>): Promise<string> {
      const value = makeCookieValue()
      await db.providerVisits.add({ ...visit, idHash: hashOf(host, value), createTime: clock.now() })
      await db.providerVisits.trim(visit.userId, maxVisits)
      return value
    },

    find(host: string, value: string): Promise<Visitor | undefined> {
      if (!isCookieValue(value)) return Promise.resolve(undefined)
      return cache.find(`${host} ${value}`, () => read(host, value))
    },

    end: (host: string, value: string): Promise<void> => db.providerVisits.remove(hashOf(host, value)),
  }
}

export type Visits = ReturnType<typeof createVisits>
