import { hash } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { fold } from '../../db/fold.js'
import { signInNames } from '../../db/sign-in-names.js'
import type { User, UserRepository } from '../../db/repositories/users.js'
import { jsonReader } from '../../lib/json-reader.js'
import type { Clock } from '../../lib/clock.js'
import { isProblem } from '../../lib/problem.js'
import { randomId } from '../../lib/random-id.js'
import type { AccessTokens } from '../tokens/access-tokens.js'
import type { Sealing } from '../tokens/sealing.js'

/** What a request brings along that may show that its device is known. */
export interface DeviceHints {
  /** The cookie of an earlier sign-in. */
  cookie?: string | undefined
  /** The Authorization header: clients attach the token of their last session, stale or not. */
  authorization?: string | undefined
}

/** An account that has signed in on a device. */
interface Account {
  userId: number
  tenantId: number
}

/** A device as one account knows it: each account has an id of its own there. */
interface KnownDevice extends Account {
  id: string
}

const Remembered = Type.Object({
  id: Type.String(),
  userId: Type.Integer(),
  tenantId: Type.Integer(),
  expiry: Type.Number({ description: 'Epoch milliseconds' }),
} satisfies Record<keyof KnownDevice | 'expiry', TSchema>)
type Remembered = Static<typeof Remembered>
/** Version 0.1.0 remembered one account, not in a list. */
const readRemembered = jsonReader(Type.Union([Type.Array(Remembered), Remembered]))

/** A device is forgotten when nobody has signed in on it for so long. Milliseconds. */
export const deviceLifetime = 180 * 24 * 3600 * 1000
/** Accounts that one cookie remembers, of at most 4096 bytes; the one that has not signed in for longest is forgotten. */
const maxAccounts = 20
const purpose = 'device'

interface Collaborators {
  users: UserRepository
  tokens: Pick<AccessTokens, 'verify'> & { sealing: Sealing }
  clock: Clock
  /** The token of a bearer header. Throws `token_missing`. */
  bearerToken: (authorization: string | undefined) => string
}

/**
 * Recognises the devices on which people have signed in before. That proves nothing about the person: it only spares
 * them the pauses that strangers have earned for their name.
 */
export const createDevices = ({ users, tokens, clock, bearerToken }: Collaborators) => {
  /** The accounts of a cookie, the latest sign-in first. */
  const readCookie = (cookie: string | undefined): Remembered[] => {
    if (cookie === undefined) return []
    try {
      const accounts = [readRemembered(tokens.sealing.open(cookie, purpose)) ?? []].flat()
      return accounts.filter(({ expiry }) => clock.now() < expiry)
    } catch {
      return []
    }
  }

  const isOf =
    ({ userId, tenantId }: Account) =>
    (device: Account): boolean =>
      device.userId === userId && device.tenantId === tenantId

  const readToken = async (authorization: string): Promise<KnownDevice | undefined> => {
    try {
      const { claims } = await tokens.verify(bearerToken(authorization))
      if (clock.now() >= claims.iat * 1000 + deviceLifetime) return undefined
      // The tokens of one session are one device.
      const id = hash('sha256', `session ${claims.sid}`, 'base64url')
      return { id, userId: Number(claims.sub), tenantId: claims.tid }
    } catch (error) {
      if (!isProblem(error)) throw error
      return undefined
    }
  }

  const isNameOf = (user: User, subject: string): boolean =>
    signInNames(user).some((name) => fold(name) === fold(subject))

  return {
    /** The id of the device, when it is known for exactly this name in this tenant. */
    async recognise(
      { cookie, authorization }: DeviceHints,
      tenantId: number,
      subject: string | undefined,
    ): Promise<string | undefined> {
      if (subject === undefined) return undefined
      const candidates = [
        ...readCookie(cookie),
        authorization === undefined ? undefined : await readToken(authorization),
      ]
      for (const device of candidates) {
        if (device?.tenantId !== tenantId) continue
        const user = await users.find(device.userId)
        if (user?.tenantId === tenantId && isNameOf(user, subject)) return device.id
      }
      return undefined
    },

    /** The id of the device of the cookie, when the account has signed in there. */
    idFor: (cookie: string | undefined, account: Account): string | undefined =>
      readCookie(cookie).find(isOf(account))?.id,

    /** Whether the account has not signed in there for so long that the cookie should be renewed. */
    isRenewalDue: (cookie: string | undefined, account: Account): boolean =>
      readCookie(cookie).some((device) => isOf(account)(device) && device.expiry < clock.now() + deviceLifetime / 2),

    /** The cookie for a device on which this account has just signed in. The id that it has there already stays. */
    issueCookie(cookie: string | undefined, account: Account): string {
      const remembered = readCookie(cookie)
      const isSame = isOf(account)
      const id = remembered.find(isSame)?.id ?? randomId()
      const { userId, tenantId } = account
      const others = remembered.filter((device) => !isSame(device))
      const accounts: Remembered[] = [{ id, userId, tenantId, expiry: clock.now() + deviceLifetime }, ...others]
      return tokens.sealing.seal(JSON.stringify(accounts.slice(0, maxAccounts)), purpose)
    },
  }
}
