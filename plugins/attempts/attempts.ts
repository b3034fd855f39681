import { hash } from 'node:crypto'
import { fold } from '../../db/fold.js'
import type { Store } from '../../db/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../clock.js'
import { isProblem } from '../errors/problem.js'
import { addressKey } from './address.js'
import { createGate } from './gate.js'
import { createScopes, memory, type Scope } from './scopes.js'
import { createTokenTries } from './token-tries.js'

/** Who tries to sign in, as submitted: known and unknown names are counted alike. */
export interface Attempt {
  tenantId: number
  /** User name, phone number or e-mail address; undefined when what is submitted names nobody. */
  subject: string | undefined
  /** Network address. */
  address: string
  /** The device, when the owner of the name has signed in on it before: it does not suffer for what strangers do. */
  device?: string | undefined
}

/** Where a try counts: close by and in all places for the name, and for the address. */
interface Places {
  near: Scope
  wide: Scope
  address: Scope
}

/** A scope in which a try was counted, and as the how many-th. */
interface Entered {
  scope: Scope
  count: number
}

/** NIST SP 800-63B 3.2.2: so many failures of a name may there be before a pause, wherever they come from. */
const mostFailures = 100

/** The credential was looked at and found wrong. */
const isRefusal = (error: unknown) => isProblem(error) && error.statusCode === 400

/**
 * Counts failed sign-ins and pauses those that fail too often, always for a time only. A try is counted before the
 * credential is looked at, so that parallel guesses are exact.
 * `countAddresses` false leaves network addresses uncounted.
 */
export const createAttempts = (
  store: Store,
  clock: Clock,
  settings: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const { lockout, countAddresses } = settings
  const gate = createGate()
  const scopes = createScopes(store, clock, lockout)
  /** What strangers leave of the failures allowed is for known devices, stolen ones among them. */
  const deviceFailures = mostFailures - lockout.nameFailuresAnywhere

  // Hashed: names may be long, and a mistyped password in the name field must not lie in the store.
  const nameOf = ({ tenantId, subject }: Pick<Attempt, 'tenantId' | 'subject'>) =>
    `${tenantId}:${hash('sha256', fold(subject ?? ''), 'base64url')}`

  const generationKey = (name: string) => `attempts:generation:${name}`

  const placesOf = async (attempt: Attempt): Promise<Places> => {
    const { nameFailures, nameFailuresAnywhere, addressFailures } = lockout
    // To unlock a name is to move on to new counters, wherever the old ones were counted.
    const name = nameOf(attempt)
    const counted = `${name}:${(await store.get(generationKey(name))) ?? '0'}`
    const place = addressKey(attempt.address)
    const address = { key: `attempts:address:${place}`, limit: addressFailures }
    if (attempt.device !== undefined && deviceFailures > 0) {
      return {
        near: { key: `attempts:device:${counted}:${attempt.device}`, limit: nameFailures },
        wide: { key: `attempts:devices:${counted}`, limit: deviceFailures },
        address,
      }
    }
    // What names nobody is proven by what nobody can guess, and people behind one address share this count.
    const nearLimit = attempt.subject === undefined ? nameFailuresAnywhere : nameFailures
    return {
      near: { key: `attempts:here:${counted}:${place}`, limit: nearLimit },
      wide: { key: `attempts:name:${counted}`, limit: nameFailuresAnywhere },
      address,
    }
  }

  const recordFailure = async (entered: Entered[], failed: Scope[]) => {
    for (const { scope, count } of entered) if (count >= scope.limit) await scopes.pause(scope)
    for (const scope of failed) await scopes.recordFailure(scope)
  }

  const guard = async <T>(
    { subject }: Attempt,
    { near, wide, address }: Places,
    prove: () => Promise<T>,
  ): Promise<T> => {
    // In this order: while one address must wait, its tries do not use up what other addresses have.
    const everywhere = [
      // What names nobody is counted for each address alone: no stranger may keep others from it.
      ...(subject === undefined ? [] : [wide]),
      ...(countAddresses ? [address] : []),
    ]
    const all = [near, ...everywhere]
    const entered: Entered[] = []
    let forgotten = false
    try {
      for (const scope of all) {
        entered.push({ scope, count: await gate.enter(scope.key, scope.limit, () => scopes.count(scope)) })
      }
      const proven = await prove()
      await scopes.forget([near, wide])
      if (countAddresses) await scopes.giveBack(address)
      forgotten = true
      return proven
    } catch (error) {
      if (isRefusal(error)) await recordFailure(entered, everywhere)
      else for (const { scope } of entered) await scopes.giveBack(scope)
      throw error
    } finally {
      for (const { scope } of entered) gate.leave(scope.key, forgotten && scope !== address)
    }
  }

  return {
    /** What an attempt is counted with. */
    async of(attempt: Attempt) {
      const counted = await placesOf(attempt)
      return {
        /**
         * Runs `prove`, which looks at a credential, as one try. When it resolves, the name starts afresh and the
         * address gets the try back; when it throws a refusal, the try stays counted. Throws `too_many_attempts` while
         * the name or the address must wait.
         */
        guard: <T>(prove: () => Promise<T>): Promise<T> => guard(attempt, counted, prove),

        /** Failures in the current window, for deciding whether a captcha is needed. */
        failures: async (): Promise<{ name: number; address: number }> => ({
          name: await scopes.failures(counted.wide),
          address: countAddresses ? await scopes.failures(counted.address) : 0,
        }),
      }
    },

    /** Lifts the pause of a name, from wherever it was tried. */
    async unlock(tenantId: number, subject: string): Promise<void> {
      await store.increment(generationKey(nameOf({ tenantId, subject })), 1, memory)
    },

    guardToken: createTokenTries(scopes, settings),
  }
}

export type Attempts = ReturnType<typeof createAttempts>
export type Tries = Awaited<ReturnType<Attempts['of']>>
