import type { Store } from '../../../db/repositories/store.js'
import type { SignInName } from '../../../db/sign-in-names.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { isProblem } from '../../../lib/problem.js'
import type { Attempt } from './attempt.js'
import { createCountersOfAttempt } from './counters-of-attempt.js'
import { createNames, type NameHistory } from './name-history.js'
import { createPauses } from './pauses.js'
import { createThrottleCounters, type FailureCounter } from './throttle-counters.js'
import { createFactorLimiter } from './factor-limiter.js'
import { createTokenLimiter } from './token-limiter.js'

/** The credential was checked and is wrong. */
const isWrongCredential = (error: unknown) => isProblem(error) && error.statusCode === 400

/**
 * Counts failed sign-ins and locks out names and addresses that fail too often, always for a limited time. Parallel tries
 * cannot exceed a limit: when a try ends, the counters are read again, and if the limit has been reached meanwhile the
 * answer is `too_many_attempts`, even for a correct credential. A success writes nothing unless there were failures.
 * `countAddresses` false leaves out the counters of network addresses.
 */
export const createAttempts = (
  store: Store,
  clock: Clock,
  settings: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const counters = createThrottleCounters(store, clock, settings.lockout)
  const names = createNames(store, () => clock.now())
  const countersOfAttempt = createCountersOfAttempt(names, settings)
  const pauses = createPauses(store, clock)
  const factors = createFactorLimiter(store, clock, settings, pauses)

  return {
    names,

    /** The limiter of one attempt; `known` is what is stored about its name, where that has been read. */
    async limiterFor(attempt: Attempt, known?: NameHistory) {
      const { all, ofName, resetOnSuccess, reported, history } = await countersOfAttempt.of(attempt, known)
      const current = await counters.read(all)
      const failures = (counter: FailureCounter | undefined) => (counter ? current.failures(counter) : 0)
      return {
        /** What is stored about the name of the attempt. */
        history,

        /**
         * Runs `verify`, which checks a credential. If it resolves, the counters of the name are reset; if it throws a 400,
         * a failure is counted. Throws `too_many_attempts` if the name or the address is locked, before or after.
         */
        async run<T>(verify: () => Promise<T>): Promise<T> {
          current.check()
          let verified: T
          try {
            verified = await verify()
          } catch (error) {
            if (isWrongCredential(error)) {
              const [begun] = await Promise.all([counters.recordFailure(all), names.noteFailure(history)])
              await pauses.note(history.pauseKey, begun.slice(0, ofName))
            }
            throw error
          }
          await current.recordSuccess(resetOnSuccess)
          return verified
        },

        /** Failures in the current window; they decide whether a captcha is needed. */
        failures: () => ({ name: failures(reported.name), address: failures(reported.address) }),
      }
    },

    /** Failures at a network address in the current window, over all tenants and names. */
    failuresOfAddress: async (address: string): Promise<number> => {
      const counter = countersOfAttempt.ofAddress(address)
      return (await counters.read([counter])).failures(counter)
    },

    /** Ends the lockout of a name for strangers. The daily limits stay. */
    liftLockout: async (tenantId: number, subject: SignInName): Promise<void> =>
      counters.reset(await countersOfAttempt.ofStrangers(tenantId, subject)),

    /** Ends the lockouts of a name at the address and on the device of somebody who has proved to own it. */
    async liftLockoutsAt(attempt: Attempt): Promise<void> {
      const { resetOnSuccess, ofSource } = await countersOfAttempt.of(attempt)
      for (const counter of [...resetOnSuccess, ...ofSource]) await counters.reset(counter)
    },

    /** Whether an unlock of the name would reset failures. */
    hasFailed: (tenantId: number, subject: SignInName): Promise<boolean> => names.hasFailed(tenantId, subject),

    /** Resets all counters of a name. */
    unlock: (tenantId: number, subject: SignInName): Promise<void> => names.unlock(tenantId, subject),

    /**
     * Until when somebody who has failed at an account must wait, in epoch milliseconds; undefined where nobody must. Others may be able to
     * sign in meanwhile.
     */
    pausedUntil: (tenantId: number, subjects: SignInName[], userId: number): Promise<number | undefined> =>
      pauses.latest([...subjects.map((one) => names.pauseKeyOf(tenantId, one)), factors.pauseKeyOf(userId)]),

    factors,
    limitTokens: createTokenLimiter(counters, settings, 'token_invalid'),
    limitApiTokens: createTokenLimiter(counters, settings, 'token_ended'),
    limitClients: createTokenLimiter(counters, settings, 'invalid_client'),
  }
}

export type Attempts = ReturnType<typeof createAttempts>
export type AttemptLimiter = Awaited<ReturnType<Attempts['limiterFor']>>
