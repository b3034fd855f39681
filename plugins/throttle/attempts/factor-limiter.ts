import type { Store } from '../../../db/repositories/store.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { createFactorCounters, rowMemory, type FactorTry } from './factor-counters.js'
import type { Pauses } from './pauses.js'
import { createThrottleCounters, keysOf } from './throttle-counters.js'

const day = 24 * 3600 * 1000
/** Wrong factors of an account of which its owner is told. */
const suspicious = 5

/**
 * Counts the wrong factors of an account in 24 hours, wherever they were tried and whatever right ones came between. Resolves to whether
 * the owner is to be told now: at the fifth one, or where so many came in a row at one place over any time; once in 24 hours.
 */
const createWrongFactors =
  (store: Store) =>
  async (account: string, inRow: number): Promise<boolean> => {
    const { count } = await store.increment(`factor:wrong:${account}`, 1, day)
    if (Math.max(count, inRow) < suspicious) return false
    const { count: times } = await store.increment(`factor:told:${account}`, 1, day)
    return times === 1
  }

/** Seconds. The settings of lockouts are for passwords, which are guessed more slowly. */
const lengths = { window: 900, firstPause: 60, longestPause: 3600 }

/** What the owner of an account is told of wrong factors. */
export type FactorNotice = 'factor_guessed' | 'factor_codes_refused'

/** A code that was right and has been used is no guess: of parallel requests with one code the losers would pause the winner. */
const isWrong = (kind: FactorTry['kind'], error: unknown): boolean => {
  if (!isProblem(error)) return false
  if (kind === 'passkey') return error.code === 'invalid_grant' || error.code === 'unknown_credential'
  return error.code === 'invalid_code' && error.details.wasUsed !== true
}

type Counters = Awaited<ReturnType<ReturnType<typeof createFactorCounters>['of']>>

/**
 * Counts wrong second factors of an account, whatever tickets and sessions they came with, apart from passwords: they lock no password,
 * and a right password resets none of them. Codes of apps pause after ten wrong ones, and are refused after a hundred in a row.
 */
export const createFactorLimiter = (
  store: Store,
  clock: Clock,
  settings: { lockout: Settings['lockout']; countAddresses: boolean },
  pauses: Pauses,
) => {
  const counters = createThrottleCounters(store, clock, { ...settings.lockout, ...lengths })
  const factorCounters = createFactorCounters(store, settings)
  const countWrong = createWrongFactors(store)

  const refuseAfterRow = async ({ isGuessable, row }: Counters): Promise<void> => {
    if (isGuessable && Number((await store.get(row.key)) ?? 0) >= row.limit) throw problem('totp_blocked')
  }

  /** Resolves to what the owner is to be told. Throws `totp_blocked` if parallel tries have ended the row. */
  const count = async (userId: number, { account, isGuessable, row, all }: Counters) => {
    await factorCounters.noteFailure(userId)
    const [ofAccount] = await counters.recordFailure(all)
    const inRow = isGuessable ? (await store.increment(row.key, 1, rowMemory)).count : 0
    if (inRow > row.limit) throw problem('totp_blocked')
    await pauses.note(factorCounters.pauseKeyOf(userId), [ofAccount])
    const isToTell = await countWrong(account, inRow)
    if (inRow === row.limit) return 'factor_codes_refused'
    return isToTell ? 'factor_guessed' : undefined
  }

  /** A right factor ends what was counted at its place, and nowhere else. Writes nothing in the usual case without failures. */
  const forget = async ({ pause, row }: Counters): Promise<void> => {
    const keys = [...keysOf(pause), row.key]
    if ((await store.getMany(keys)).size > 0) await store.delete(keys)
  }

  return {
    /**
     * Runs `verify`, which checks a factor; counts a wrong one and says what the owner is to be told of it. A passkey is never refused.
     * Throws `too_many_attempts` during a pause and `totp_blocked` after the row, before or after.
     */
    async run<T>(tried: FactorTry, verify: () => Promise<T>, tell: (notice: FactorNotice) => void): Promise<T> {
      const chosen = await factorCounters.of(tried)
      await refuseAfterRow(chosen)
      const current = await counters.read(chosen.all)
      current.check()
      let verified: T
      try {
        verified = await verify()
      } catch (error) {
        if (!isWrong(tried.kind, error)) throw error
        const notice = await count(tried.userId, chosen)
        if (notice) tell(notice)
        throw error
      }
      await current.recordSuccess([])
      await refuseAfterRow(chosen)
      await forget(chosen)
      return verified
    },

    /** Notes that a factor was proved without `run`. */
    notePassed: async (tried: FactorTry): Promise<void> => forget(await factorCounters.of(tried)),

    /** Whether an unlock would reset something. */
    hasFailed: factorCounters.hasFailed,

    pauseKeyOf: factorCounters.pauseKeyOf,

    /** Resets all counters of an account. */
    unlock: factorCounters.unlock,
  }
}
