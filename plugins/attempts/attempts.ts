import { hash } from 'node:crypto'
import { fold } from '../../db/fold.js'
import type { Store } from '../../db/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../clock.js'
import { isProblem } from '../errors/problem.js'
import { addressKey } from './address.js'
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

/** Where a failure counts: close by and in all places for the name, and for the address. */
interface Places {
  near: Scope
  wide: Scope
  address: Scope
}

/** NIST SP 800-63B 3.2.2: so many failures of a name may there be before a pause, wherever they come from. */
const mostFailures = 100

/** The credential was looked at and found wrong. */
const isRefusal = (error: unknown) => isProblem(error) && error.statusCode === 400

/**
 * Counts failed sign-ins and pauses those that fail too often, always for a time only. Parallel guesses are exact: what a
 * try has come to is answered only if no others have used up what was allowed until then, a right guess no less than a
 * wrong one. So right ones in parallel are not mistaken for guesses, and who succeeds writes nothing.
 * `countAddresses` false leaves network addresses uncounted.
 */
export const createAttempts = (
  store: Store,
  clock: Clock,
  settings: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const { lockout, countAddresses } = settings
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
    const address = { key: `attempts:address:${place}`, limit: addressFailures, isAskedFor: true }
    if (attempt.device !== undefined && deviceFailures > 0) {
      return {
        near: { key: `attempts:device:${counted}:${attempt.device}`, limit: nameFailures },
        wide: { key: `attempts:devices:${counted}`, limit: deviceFailures, isAskedFor: true },
        address,
      }
    }
    // What names nobody is proven by what nobody can guess, and people behind one address share this count.
    const nearLimit = attempt.subject === undefined ? nameFailuresAnywhere : nameFailures
    return {
      near: { key: `attempts:here:${counted}:${place}`, limit: nearLimit },
      wide: { key: `attempts:name:${counted}`, limit: nameFailuresAnywhere, isAskedFor: true },
      address,
    }
  }

  return {
    /** What an attempt is counted with. */
    async of(attempt: Attempt) {
      const { near, wide, address } = await placesOf(attempt)
      // In this order: while one address must wait, its tries do not use up what other addresses have.
      const scopesOfTry = [
        near,
        // What names nobody is counted for each address alone: no stranger may keep others from it.
        ...(attempt.subject === undefined ? [] : [wide]),
        ...(countAddresses ? [address] : []),
      ]
      const known = await scopes.read(scopesOfTry)
      return {
        /**
         * Runs `prove`, which looks at a credential, as one try. When it resolves, the name starts afresh; when it
         * throws a refusal, the try is counted. Throws `too_many_attempts` while the name or the address must wait,
         * also when that has come about meanwhile.
         */
        async guard<T>(prove: () => Promise<T>): Promise<T> {
          known.check()
          let proven: T
          try {
            proven = await prove()
          } catch (error) {
            if (isRefusal(error)) await scopes.recordFailure(scopesOfTry)
            throw error
          }
          await known.recordSuccess(scopesOfTry.filter((scope) => scope !== address))
          return proven
        },

        /** Failures in the current window, for deciding whether a captcha is needed. */
        failures: () => ({ name: known.failures(wide), address: known.failures(address) }),
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
