import { randomBytes } from 'node:crypto'
import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import type { Encryption } from '../../../plugins/run/encryption/encryption.js'
import { entryHash, entryPurpose } from '../entry-names.js'

/** A browser that has come from the sign-in to a protected host. It ends with the session, the application and what the person has allowed. */
export interface Visit {
  sessionId: string
  clientId: string
  userId: number
  grantId: string
}

interface Collaborators {
  db: Pick<Database, 'providerEntries'>
  clock: Clock
  encryption: Encryption
}

const kind = 'Visit'
/** Of a user: one whose browser comes again and again has the latest. */
const maxVisits = 500

/** The value of a cookie of ours, and nothing else. */
export const isCookieValue = (text: string): boolean => /^[\w-]{43}$/.test(text)
export const makeCookieValue = (): string => randomBytes(32).toString('base64url')

/** What the cookies of protected hosts stand for. The database has only their hashes, and that of one host finds nothing at another. */
export const createVisits = ({ db, clock, encryption }: Collaborators) => {
  const hashOf = (host: string, value: string): string => entryHash(`${kind} ${host}`, value)
  return {
    /** Returns the value of the cookie. `expiry` is that of the session, epoch milliseconds. */
    async start(host: string, { sessionId, clientId, userId, grantId }: Visit, expiry: number): Promise<string> {
      const value = makeCookieValue()
      const idHash = hashOf(host, value)
      await db.providerEntries.put({
        ...{ idHash, kind, sessionId, clientId, userId, grantId, expiry },
        encryptedPayload: encryption.encrypt('{}', entryPurpose(idHash)),
        isOffline: false,
        createTime: clock.now(),
      })
      await db.providerEntries.trim(userId, kind, maxVisits)
      return value
    },

    async find(host: string, value: string): Promise<Visit | undefined> {
      if (!isCookieValue(value)) return undefined
      const entry = await db.providerEntries.find(hashOf(host, value))
      if (!entry || entry.expiry <= clock.now()) return undefined
      const { sessionId, clientId, userId, grantId } = entry
      if (sessionId === null || clientId === null || userId === null || grantId === null) return undefined
      return { sessionId, clientId, userId, grantId }
    },

    end: (host: string, value: string): Promise<void> => db.providerEntries.remove(hashOf(host, value)),
  }
}

export type Visits = ReturnType<typeof createVisits>
