import { hash } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { nameKey, signInNames, type SignInName } from '../../../db/sign-in-names.js'
import type { User, UserRepository } from '../../../db/repositories/users.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Clock } from '../../../lib/clock.js'
import { isProblem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { AccessTokens } from '../../sessions/tokens/access-tokens.js'
import type { Encryption } from '../../sessions/encryption/encryption.js'

/** The parts of a request that may identify a known device. */
interface DeviceHints {
  /** The cookie of an earlier sign-in. */
  cookie?: string | undefined
  /** The Authorization header: clients send the token of their last session, even an expired one. */
  authorization?: string | undefined
}

/** An account that has signed in on a device. */
interface Account {
  userId: number
  tenantId: number
}

/** A device of one account. Accounts that share a device have different ids for it. */
interface KnownDevice extends Account {
  id: string
}

const CookieAccount = Type.Object({
  id: Type.String(),
  userId: Type.Integer(),
  tenantId: Type.Integer(),
  expiry: Type.Number({ description: 'Epoch milliseconds' }),
} satisfies Record<keyof KnownDevice | 'expiry', TSchema>)
type CookieAccount = Static<typeof CookieAccount>
const readAccounts = jsonReader(Type.Array(CookieAccount))

/** An account is removed from the device this long after its last sign-in there. Milliseconds. */
export const deviceLifetime = 180 * 24 * 3600 * 1000
/** Accounts in one cookie, which browsers limit to 4096 bytes. The account with the oldest sign-in is dropped. */
const maxAccounts = 20
const purpose = 'device'

interface Collaborators {
  users: UserRepository
  tokens: Pick<AccessTokens, 'verify'>
  encryption: Encryption
  clock: Clock
  /** The token of a bearer header. Throws `token_missing`. */
  bearerToken: (authorization: string | undefined) => string
}

/**
 * Recognises the devices on which a user has signed in before. A known device authenticates nobody: it only has throttle
 * counters of its own, so that failed tries elsewhere do not lock the owner out.
 */
export const createDevices = ({ users, tokens, encryption, clock, bearerToken }: Collaborators) => {
  /** The accounts in a device cookie, latest sign-in first; empty for an invalid cookie. */
  const readCookie = (cookie: string | undefined): CookieAccount[] => {
    if (cookie === undefined) return []
    const accounts = readAccounts(encryption.tryDecrypt(cookie, purpose) ?? '') ?? []
    return accounts.filter(({ expiry }) => clock.now() < expiry)
  }

  const isOf =
    ({ userId, tenantId }: Account) =>
    (device: Account): boolean =>
      device.userId === userId && device.tenantId === tenantId

  const readToken = async (authorization: string): Promise<KnownDevice | undefined> => {
    try {
      const { claims } = await tokens.verify(bearerToken(authorization))
      if (clock.now() >= claims.iat * 1000 + deviceLifetime) return undefined
      // All tokens of one session stand for one device.
      const id = hash('sha256', `session ${claims.sid}`, 'base64url')
      return { id, userId: Number(claims.sub), tenantId: claims.tid }
    } catch (error) {
      if (!isProblem(error)) throw error
      return undefined
    }
  }

  const isNameOf = (user: User, subject: SignInName): boolean =>
    signInNames(user).some((name) => nameKey(name) === nameKey(subject))

  /** The devices that a request names. Its cookie is decrypted when it is first needed, and once. */
  const of = ({ cookie, authorization }: DeviceHints) => {
    let read: CookieAccount[] | undefined
    const accounts = (): CookieAccount[] => (read ??= readCookie(cookie))
    const find = (account: Account): CookieAccount | undefined => accounts().find(isOf(account))
    const made = new Map<number, string>()
    /** The same for each call: what is stored under the id must be found by the cookie. */
    const idToIssue = (account: Account): string => {
      const id = find(account)?.id ?? made.get(account.userId) ?? randomId()
      made.set(account.userId, id)
      return id
    }

    return {
      /** The id of the device if the user with the name `subject` in this tenant has signed in on it. */
      async recognise(tenantId: number, subject: SignInName | undefined): Promise<string | undefined> {
        if (subject === undefined) return undefined
        const candidates = [...accounts(), authorization === undefined ? undefined : await readToken(authorization)]
        for (const device of candidates) {
          if (device?.tenantId !== tenantId) continue
          const user = await users.find(device.userId)
          if (user?.tenantId === tenantId && isNameOf(user, subject)) return device.id
        }
        return undefined
      },

      /** The id of the device in the cookie if the account has signed in there. */
      idFor: (account: Account): string | undefined => find(account)?.id,

      /** The id that `issueCookie` gives the account on this device. */
      idToIssue,

      /** Whether half of the lifetime of the account in the cookie has passed. */
      isRenewalDue: (account: Account): boolean =>
        (find(account)?.expiry ?? Infinity) < clock.now() + deviceLifetime / 2,

      /** The cookie for a device on which this account has just signed in. An id that the account has there already stays. */
      issueCookie(account: Account): string {
        const { userId, tenantId } = account
        const id = idToIssue(account)
        const isSame = isOf(account)
        const latest = { id, userId, tenantId, expiry: clock.now() + deviceLifetime }
        const all: CookieAccount[] = [latest, ...accounts().filter((device) => !isSame(device))]
        return encryption.encrypt(JSON.stringify(all.slice(0, maxAccounts)), purpose)
      },
    }
  }
  return { of }
}

export type Devices = ReturnType<typeof createDevices>
export type ClientDevices = ReturnType<Devices['of']>
