import { hash } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Repositories } from '../../../db/index.js'
import { nameKey, signInNames, type SignInName } from '../../../db/sign-in-names.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { isProblem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'

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

/** The new id of a device after a proof. */
export interface DeviceRenewal {
  id: string
  /** Whether the request brought an id of the account. */
  wasKnown: boolean
  /** Gives the new id what was bound to the former one, in the transaction of the proof. */
  move: (inside: Pick<Repositories, 'sessions' | 'trustedDevices'>) => Promise<void>
}

const CookieAccount = Type.Object({
  id: Type.String(),
  userId: Type.Integer(),
  tenantId: Type.Integer(),
  expiry: Type.Number({ description: 'Epoch milliseconds' }),
  hasProvedFactor: Type.Optional(
    Type.Boolean({ description: 'Whether a second factor of the account was proved there' }),
  ),
} satisfies Record<keyof KnownDevice | 'expiry' | 'hasProvedFactor', TSchema>)
type CookieAccount = Static<typeof CookieAccount>
const readAccounts = jsonReader(Type.Array(CookieAccount))

/** An account is removed from the device this long after its last sign-in there. Milliseconds. */
export const deviceLifetime = 180 * 24 * 3600 * 1000
/** Accounts in one cookie, which browsers limit to 4096 bytes. The account with the oldest sign-in is dropped. */
const maxAccounts = 20
const purpose = 'device'

/**
 * Recognises the devices on which a user has signed in before. A known device authenticates nobody: it only has throttle
 * counters of its own, so that failed tries elsewhere do not lock the owner out. Of an account with a second factor, a device is known
 * that has proved one: whoever has learned the password may have a cookie from before the factor.
 */
export const createDevices = (
  { clock, db: { sessions, users }, encryption, tokens }: Needs<'clock' | 'db' | 'encryption' | 'tokens'>,
  /** The token of a bearer header. Throws `token_missing`. */
  bearerToken: (authorization: string | undefined) => string,
) => {
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

  /** The device of an earlier token; `provesFactor` says whether a second factor was proved in its session. */
  const readToken = async (authorization: string | undefined) => {
    if (authorization === undefined) return undefined
    try {
      const { claims } = await tokens.verify(bearerToken(authorization))
      if (clock.now() >= claims.iat * 1000 + deviceLifetime) return undefined
      // All tokens of one session stand for one device.
      const id = hash('sha256', `session ${claims.sid}`, 'base64url')
      const provesFactor = async () => (await sessions.find(claims.sid))?.session.factorTime != null
      return { id, userId: Number(claims.sub), tenantId: claims.tid, provesFactor }
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
    /** Ids that the next cookie gives accounts in place of those in the cookie of the request. */
    const made = new Map<number, string>()
    const proved = new Set<number>()
    /** Those of the cookie, and that of the token. */
    const devices = async () => {
      const ofToken = await readToken(authorization)
      const ofCookie = accounts().map((device) => ({
        ...device,
        provesFactor: () => Promise.resolve(device.hasProvedFactor === true),
      }))
      return ofToken ? [...ofCookie, ofToken] : ofCookie
    }

    return {
      /** The id of the device if the user with the name `subject` in this tenant has signed in on it. */
      async recognise(tenantId: number, subject: SignInName | undefined): Promise<string | undefined> {
        if (subject === undefined) return undefined
        for (const device of await devices()) {
          if (device.tenantId !== tenantId) continue
          const user = await users.find(device.userId)
          if (user?.tenantId !== tenantId || !isNameOf(user, subject)) continue
          if (!user.hasSecondFactor || (await device.provesFactor())) return device.id
        }
        return undefined
      },

      /** Whether the account has signed in on the device, by the cookie or by an earlier token. */
      hasSeen: async (account: Account): Promise<boolean> => (await devices()).some(isOf(account)),

      /** The id of the device if the account has proved a second factor there: its wrong codes have counters of their own. */
      async idWithFactor(account: Account): Promise<string | undefined> {
        for (const device of (await devices()).filter(isOf(account))) if (await device.provesFactor()) return device.id
        return undefined
      },

      /** Notes that the account has proved a second factor: the cookie that is issued says so. */
      noteFactor: ({ userId }: Account): void => void proved.add(userId),

      /** The id of the device in the cookie if the account has signed in there. */
      idFor: (account: Account): string | undefined => find(account)?.id,

      /**
       * Gives the account a new id on this device, which `issueCookie` writes, for a proof that makes the device more than known: somebody
       * may have copied the cookie before.
       */
      renewId(account: Account): DeviceRenewal {
        const { userId } = account
        const id = made.get(userId) ?? randomId()
        made.set(userId, id)
        const former = find(account)?.id
        return {
          id,
          wasKnown: former !== undefined,
          async move({ sessions, trustedDevices }) {
            if (former === undefined) return
            await sessions.moveDevice(userId, former, id)
            await trustedDevices.moveDevice(userId, former, id)
          },
        }
      },

      /** Whether half of the lifetime of the account in the cookie has passed. */
      isRenewalDue: (account: Account): boolean =>
        (find(account)?.expiry ?? Infinity) < clock.now() + deviceLifetime / 2,

      /** The cookie for a device on which this account has just signed in. An id that the account has there stays unless it was renewed. */
      issueCookie(account: Account): string {
        const { userId, tenantId } = account
        const id = made.get(userId) ?? find(account)?.id ?? randomId()
        const isSame = isOf(account)
        const hasProvedFactor = proved.has(userId) || find(account)?.hasProvedFactor === true
        const expiry = clock.now() + deviceLifetime
        const latest = { id, userId, tenantId, expiry, ...(hasProvedFactor && { hasProvedFactor }) }
        const all: CookieAccount[] = [latest, ...accounts().filter((device) => !isSame(device))]
        return encryption.encrypt(JSON.stringify(all.slice(0, maxAccounts)), purpose)
      },
    }
  }
  return { of }
}

export type Devices = ReturnType<typeof createDevices>
export type ClientDevices = ReturnType<Devices['of']>
