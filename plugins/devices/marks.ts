import { hash } from 'node:crypto'
import { fold } from '../../db/fold.js'
import type { User, UserRepository } from '../../db/users.js'
import type { Clock } from '../clock.js'
import { isProblem } from '../errors/problem.js'
import { randomId } from '../random-id.js'
import type { AccessTokens } from '../tokens/access-tokens.js'
import type { Sealing } from '../tokens/sealing.js'

/** What a request brings along that may show that its device is known. */
export interface Marks {
  /** The mark of an earlier sign-in. */
  mark?: string | undefined
  /** The Authorization header: clients attach the token of their last session, stale or not. */
  authorization?: string | undefined
}

/** A device, and whose sign-in made it known. */
interface KnownDevice {
  id: string
  userId: number
  tenantId: number
}

/** A device is forgotten when nobody has signed in on it for so long. Milliseconds. */
export const lifetime = 180 * 24 * 3600 * 1000
const purpose = 'device'

interface Collaborators {
  users: UserRepository
  tokens: Pick<AccessTokens, 'verify'> & { sealing: Sealing }
  clock: Clock
  /** The token of a bearer header. Throws `token_missing`. */
  bearerToken: (authorization: string | undefined) => string
  readPhone: (text: string) => { key: string } | undefined
}

/**
 * Recognises the devices on which people have signed in before. That proves nothing about the person: it only spares
 * them the pauses that strangers have earned for their name.
 */
export const createMarks = ({ users, tokens, clock, bearerToken, readPhone }: Collaborators) => {
  const readMark = (mark: string): KnownDevice | undefined => {
    try {
      const { expiry, ...device } = JSON.parse(tokens.sealing.open(mark, purpose)) as KnownDevice & { expiry: number }
      return clock.now() < expiry ? device : undefined
    } catch {
      return undefined
    }
  }

  const readToken = async (authorization: string): Promise<KnownDevice | undefined> => {
    try {
      const { claims } = await tokens.verify(bearerToken(authorization))
      if (clock.now() >= claims.iat * 1000 + lifetime) return undefined
      // The tokens of one session are one device.
      const id = hash('sha256', `session ${claims.sid}`, 'base64url')
      return { id, userId: Number(claims.sub), tenantId: claims.tid }
    } catch (error) {
      if (!isProblem(error)) throw error
      return undefined
    }
  }

  const isNameOf = ({ username, phone, email }: User, subject: string): boolean =>
    [username, email, phone === null ? null : (readPhone(phone)?.key ?? null)].some(
      (name) => name !== null && fold(name) === fold(subject),
    )

  return {
    /** The id of the device, when it is known for exactly this name in this tenant. */
    async recognise(
      { mark, authorization }: Marks,
      tenantId: number,
      subject: string | undefined,
    ): Promise<string | undefined> {
      if (subject === undefined) return undefined
      const candidates = [
        mark === undefined ? undefined : readMark(mark),
        authorization === undefined ? undefined : await readToken(authorization),
      ]
      for (const device of candidates) {
        if (device?.tenantId !== tenantId) continue
        const user = await users.find(device.userId)
        if (user?.tenantId === tenantId && isNameOf(user, subject)) return device.id
      }
      return undefined
    },

    /** The mark for a device on which this user has just signed in; one that it has already keeps its id. */
    renew(mark: string | undefined, { userId, tenantId }: { userId: number; tenantId: number }): string {
      const known = mark === undefined ? undefined : readMark(mark)
      const isSame = known?.userId === userId && known.tenantId === tenantId
      const id = isSame ? known.id : randomId()
      return tokens.sealing.seal(JSON.stringify({ id, userId, tenantId, expiry: clock.now() + lifetime }), purpose)
    },
  }
}
