import { createHash } from 'node:crypto'
import { fold } from '../../db/fold.js'
import type { Store } from '../../db/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../clock.js'
import { isProblem, problem } from '../errors/problem.js'
import { addressKey } from './address.js'
import { createGate } from './gate.js'

/** Who tries to sign in, as submitted: known and unknown names are counted alike. */
export interface Attempt {
  tenantId: number
  /** User name, phone number or e-mail address; undefined when what is submitted names nobody. */
  subject: string | undefined
  /** Network address. */
  address: string
}

/** The credential was looked at and found wrong. */
const isRefusal = (error: unknown) => isProblem(error) && error.statusCode === 400

/** For how long a pause is remembered, so that the next one is longer. */
const memory = 24 * 3600

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
  const { lockout } = settings
  const gate = createGate()

  // Hashed: names may be long, and a mistyped password in the name field must not lie in the store.
  const nameOf = ({ tenantId, subject }: Pick<Attempt, 'tenantId' | 'subject'>) =>
    `${tenantId}:${createHash('sha256')
      .update(fold(subject ?? ''))
      .digest('base64url')}`

  const generationKey = (name: string) => `attempts:generation:${name}`

  const counters = async (attempt: Attempt) => {
    // To unlock a name is to move on to new counters, wherever the old ones were counted.
    const name = nameOf(attempt)
    const generation = (await store.get(generationKey(name))) ?? '0'
    const address = addressKey(attempt.address)
    return {
      here: { key: `attempts:here:${name}:${generation}:${address}`, limit: lockout.nameFailures },
      anywhere: { key: `attempts:name:${name}:${generation}`, limit: lockout.nameFailuresAnywhere },
      address: { key: `attempts:address:${address}`, limit: lockout.addressFailures },
    }
  }
  type Scope = Awaited<ReturnType<typeof counters>>['here']
  /** A scope in which a try was counted, and as the how many-th. */
  interface Entered {
    scope: Scope
    count: number
  }
  const levelKey = (key: string) => `${key}:pauses`
  /** Counts only tries that have failed, not those under way: what decides whether a captcha is needed. */
  const failedKey = (key: string) => `${key}:failed`
  const windowTime = lockout.window * 1000

  const count = async ({ key, limit }: Scope): Promise<number> => {
    const counter = await store.increment(key, 1, windowTime)
    if (counter.count > limit) {
      throw problem('too_many_attempts', { retryAfter: Math.max(1, (counter.expiry - clock.now()) / 1000) })
    }
    return counter.count
  }

  /** The last try that was allowed has failed: the next one waits, each time twice as long. */
  const pause = async ({ key, limit }: Scope) => {
    const pauses = await store.increment(levelKey(key), 1, memory * 1000)
    const seconds = Math.min(lockout.firstPause * 2 ** (pauses.count - 1), lockout.longestPause)
    await store.set(key, String(limit), seconds * 1000)
  }

  /** What failed was not the credential: the try does not count. */
  const giveBack = async (scopes: Scope[]) => {
    for (const { key } of scopes) await store.increment(key, -1, windowTime)
  }

  const recordFailure = async (entered: Entered[], scopes: Scope[]) => {
    for (const { scope, count } of entered) if (count >= scope.limit) await pause(scope)
    for (const { key } of scopes) await store.increment(failedKey(key), 1, windowTime)
  }

  return {
    /**
     * Runs `prove`, which looks at a credential, as one try. When it resolves, the name starts afresh and the address
     * gets the try back; when it throws a refusal, the try stays counted. Throws `too_many_attempts` while the name
     * or the address must wait.
     */
    async guard<T>(attempt: Attempt, prove: () => Promise<T>): Promise<T> {
      const { here, anywhere, address } = await counters(attempt)
      // In this order: while one address must wait, its tries do not use up what other addresses have.
      const everywhere = [
        // What names nobody is counted for each address alone: no stranger may keep others from it.
        ...(attempt.subject === undefined ? [] : [anywhere]),
        ...(settings.countAddresses ? [address] : []),
      ]
      const scopes = [here, ...everywhere]
      const entered: Entered[] = []
      let forgotten = false
      try {
        for (const scope of scopes) {
          entered.push({ scope, count: await gate.enter(scope.key, scope.limit, () => count(scope)) })
        }
        const proven = await prove()
        await store.delete([here, anywhere].flatMap(({ key }) => [key, levelKey(key), failedKey(key)]))
        if (settings.countAddresses) await store.increment(address.key, -1, windowTime)
        forgotten = true
        return proven
      } catch (error) {
        if (isRefusal(error)) await recordFailure(entered, everywhere)
        else await giveBack(entered.map(({ scope }) => scope))
        throw error
      } finally {
        for (const { scope } of entered) gate.leave(scope.key, forgotten && scope !== address)
      }
    },

    /** Failures in the current window, for deciding whether a captcha is needed. */
    async failures(attempt: Attempt): Promise<{ name: number; address: number }> {
      const { anywhere, address } = await counters(attempt)
      const read = async (key: string) => Number((await store.get(key)) ?? 0)
      return {
        name: await read(failedKey(anywhere.key)),
        address: settings.countAddresses ? await read(failedKey(address.key)) : 0,
      }
    },

    /** Lifts the pause of a name, from wherever it was tried. */
    async unlock(tenantId: number, subject: string): Promise<void> {
      await store.increment(generationKey(nameOf({ tenantId, subject })), 1, memory * 1000)
    },
  }
}

export type Attempts = ReturnType<typeof createAttempts>
