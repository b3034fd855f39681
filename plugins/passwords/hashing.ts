import { hash as hashInPool } from '@node-rs/argon2'
import type { Settings } from '../../schemas/settings.js'
import { problem } from '../../lib/problem.js'
import { findAlgorithm, isWeaker, looksLikeHash, type RunHash } from './algorithms.js'
import { createDummyHash } from './dummy-hashes.js'
import type { Requester } from './hash-queue.js'
import { createHashThreads } from './hash-threads.js'

/** `Algorithm.Argon2id`: a const enum, which isolated modules cannot read. */
const argon2id = 2
/** Retry-After when the queue is full, seconds. */
const retryAfter = 2
/** Whoever has waited this long for a turn is told to come back: a person has gone by then. Milliseconds. */
const maxWait = 10_000

/** New passwords come from operators unless somebody says otherwise. */
const operatorLane = 'operator'

/** One normal form before hashing: the same password typed on two keyboards is one password (NIST SP 800-63B 3.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC')

/**
 * argon2id in threads of its own, one for each core. Who waits for one is served by shares and by address. Beyond
 * `queueLength` waiting hashes in a share, and after a wait of `patience` milliseconds, the answer is `unavailable`: a flood
 * of sign-ins must not grow memory without bound.
 */
export const createHashing = (settings: Settings['passwords'], wait = maxWait) => {
  const parameters = {
    algorithm: argon2id,
    memoryCost: settings.memoryKiB,
    timeCost: settings.passes,
    parallelism: 1,
  }
  const threads = createHashThreads({
    queueLength: settings.queueLength,
    maxWait: wait,
    refusal: () => problem('unavailable', { retryAfter }),
  })

  const dummyHash = createDummyHash(`$argon2id$v=19$m=${settings.memoryKiB},t=${settings.passes},p=1$`)

  return {
    /** So many hashes at once keep all threads busy. */
    capacity: threads.capacity,

    isCrowded: () => threads.isCrowded(),

    /**
     * PHC string of a new password, for an operator or for somebody whose password has been checked; `lane` is then the
     * user's.
     */
    hash: (password: string, lane = operatorLane): Promise<string> =>
      threads.run({ share: 'known', lane }, 'hash', normalise(password), parameters),

    /** The same for a single password before the service listens, without a thread that would stay in memory. */
    hashBeforeListening: (password: string): Promise<string> => hashInPool(normalise(password), parameters),

    /**
     * Whether `password` belongs to `stored`. Without a stored hash, or with one that cannot be verified, false after the
     * work for `dummy`.
     */
    async verify(
      stored: string | null | undefined,
      password: string,
      requester: Requester,
      dummy = dummyHash,
    ): Promise<boolean> {
      const run: RunHash = (name, ...values) => threads.run(requester, name, ...values)
      const verify = stored == null ? undefined : findAlgorithm(stored)
      if (stored != null && verify) return verify(run, stored, normalise(password))
      await findAlgorithm(dummy)?.(run, dummy, normalise(password))
      return false
    },

    needsRehash: (stored: string): boolean => isWeaker(stored, settings),

    /** Whether a hash that was made elsewhere can be taken over. */
    isUsable: (stored: string): boolean => findAlgorithm(stored) !== undefined,

    looksLikeHash,

    close: (): Promise<void> => threads.close(),
  }
}
