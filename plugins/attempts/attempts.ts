import type { Store } from '../../db/repositories/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../../lib/clock.js'
import { isProblem } from '../../lib/problem.js'
import { createNames } from './names.js'
import { createScopes, type Scope } from './scopes.js'
import { createShares, type Attempt } from './shares.js'
import { createTokenTries } from './token-tries.js'

export type { Attempt, TriedCode } from './shares.js'

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
  const scopes = createScopes(store, clock, settings.lockout)
  const names = createNames(store, () => clock.now())
  const shares = createShares(names, settings)

  return {
    names,

    /** What an attempt is counted with. */
    async of(attempt: Attempt) {
      const { all, named, asked } = await shares.of(attempt)
      const known = await scopes.read(all)
      const failures = (scope: Scope | undefined) => (scope ? known.failures(scope) : 0)
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
            if (isRefusal(error)) await scopes.recordFailure(all)
            throw error
          }
          await known.recordSuccess(named)
          return proven
        },

        /** Failures in the current window, for deciding whether a captcha is needed. */
        failures: () => ({ name: failures(asked.name), address: failures(asked.address) }),
      }
    },

    /** Lifts the pause that strangers have earned for a name; what they may still get wrong in a day stays as it is. */
    liftPause: async (tenantId: number, subject: string): Promise<void> =>
      scopes.lift(await shares.strangers(tenantId, subject)),

    /** Lifts the pause of a name, from wherever it was tried. */
    unlock: (tenantId: number, subject: string): Promise<void> => names.unlock(tenantId, subject),

    guardToken: createTokenTries(scopes, settings),
  }
}

export type Attempts = ReturnType<typeof createAttempts>
export type Tries = Awaited<ReturnType<Attempts['of']>>
