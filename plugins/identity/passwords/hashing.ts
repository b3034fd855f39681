import type { Settings } from '../../../schemas/settings.js'
import { problem } from '../../../lib/problem.js'
import { createAlgorithms, looksLikeHash, type RunHash } from './algorithms.js'
import { createDummyHash } from './dummy-hashes.js'
import type { Requester } from './hash-queue.js'
import { createHashThreads } from './hash-threads.js'

/** The value of `Algorithm.Argon2id`, a const enum, which cannot be imported with `isolatedModules`. */
const argon2id = 2
/** Retry-After of an answer `unavailable`, seconds. */
const retryAfter = 2
/** Milliseconds that a request may wait for a hash: few people wait longer for a sign-in. */
const maxWait = 10_000

/** The fairness key of hashes for operators. */
const operatorKey = 'operator'

/** The same password typed on two keyboards must give the same hash (NIST SP 800-63B 3.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC')

/**
 * Hashes passwords with argon2id in worker threads. Throws `unavailable` when `queueLength` requests of the same group are
 * waiting, and after a wait of `wait` milliseconds, so that a flood of sign-ins cannot fill the memory.
 */
export const createHashing = (settings: Settings['passwords'], wait = maxWait) => {
  const parameters = {
    algorithm: argon2id,
    memoryCost: settings.memoryKiB,
    timeCost: settings.passes,
    parallelism: 1,
  }
  const algorithms = createAlgorithms(settings)
  const threads = createHashThreads({
    queueLength: settings.queueLength,
    maxWait: wait,
    refusal: () => problem('unavailable', { retryAfter }),
  })

  const dummyHash = createDummyHash(`$argon2id$v=19$m=${settings.memoryKiB},t=${settings.passes},p=1$`)

  return {
    /** Passwords that can be hashed at the same time. */
    capacity: threads.capacity,

    isCrowded: () => threads.isCrowded(),

    waiting: threads.waiting,
    onWait: threads.onWait,

    /**
     * The PHC string of a new password. Callers are operators, or users who are signed in, each with a key of their own.
     */
    hash: (password: string, fairnessKey = operatorKey): Promise<string> =>
      threads.run({ group: 'known', fairnessKey }, 'hash', normalise(password), parameters),

    /** Hashes one password before the service listens, in the thread pool of Node.js: no worker thread stays in memory. */
    async hashBeforeListening(password: string): Promise<string> {
      const { hash } = await import('@node-rs/argon2')
      return hash(normalise(password), parameters)
    },

    /**
     * Whether `stored` is the hash of `password`. Without a stored hash, or with one that is too dear to be computed, it
     * verifies `dummy` for the time that this takes, and resolves to false.
     */
    async verify(
      stored: string | null | undefined,
      password: string,
      requester: Requester,
      dummy = dummyHash,
    ): Promise<boolean> {
      const usable = stored == null ? undefined : algorithms.find(stored)
      const computed = usable ?? algorithms.find(dummy)
      const run: RunHash = (name, ...values) =>
        threads.run({ ...requester, isSlow: computed?.isSlow ?? false }, name, ...values)
      const matches = await computed?.verify(run, normalise(password))
      return usable !== undefined && matches === true
    },

    needsRehash: algorithms.isWeaker,

    /** Whether a stored hash, or one of another system, can be computed. */
    isUsable: (stored: string): boolean => algorithms.find(stored) !== undefined,

    kindOf: algorithms.kindOf,

    looksLikeHash,

    close: (): Promise<void> => threads.close(),
  }
}
