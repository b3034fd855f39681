import { randomBytes } from 'node:crypto'
import type { Settings } from '../../schemas/settings.js'
import { problem } from '../errors/problem.js'
import { findAlgorithm, isWeaker, type RunHash } from './algorithms.js'
import type { Requester } from './hash-queue.js'
import { createHashThreads } from './hash-threads.js'

/** `Algorithm.Argon2id`: a const enum, which isolated modules cannot read. */
const argon2id = 2
/** Retry-After when the queue is full, seconds. */
const pause = 2
/** Whoever has waited this long for a turn is told to come back: a person has gone by then. Milliseconds. */
const longestWait = 10_000

/** New passwords come from operators unless somebody says otherwise. */
const operatorLane = 'operator'

/** One normal form before hashing: the same password typed on two keyboards is one password (NIST SP 800-63B 3.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC')

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/**
 * argon2id in threads of its own, one for each core. Who waits for one is served by shares and by address. Beyond
 * `queueLength` waiting hashes in a share, and after a wait of `patience` milliseconds, the answer is `unavailable`: a flood
 * of sign-ins must not grow memory without bound.
 */
export const createHashing = (settings: Settings['passwords'], patience = longestWait) => {
  const parameters = {
    algorithm: argon2id,
    memoryCost: settings.memoryKiB,
    timeCost: settings.passes,
    parallelism: 1,
  }
  const threads = createHashThreads({
    queueLength: settings.queueLength,
    longestWait: patience,
    refusal: () => problem('unavailable', { retryAfter: pause }),
  })

  // What an unknown name is compared with, so that it takes the time of a known one: the hash of no password.
  const [salt, digest] = [unpadded(randomBytes(16)), unpadded(randomBytes(32))]
  const nobody = `$argon2id$v=19$m=${settings.memoryKiB},t=${settings.passes},p=1$${salt}$${digest}`

  return {
    /** So many hashes at once keep all threads busy. */
    capacity: threads.capacity,
    start: () => threads.start(),

    isCrowded: () => threads.isCrowded(),

    /**
     * PHC string of a new password, for an operator or for somebody whose password has been checked; `lane` is then the
     * user's.
     */
    hash: (password: string, lane = operatorLane): Promise<string> =>
      threads.run({ share: 'known', lane }, 'hash', normalise(password), parameters),

    /** Whether `password` belongs to `stored`; without a stored hash, false after the same work. */
    async verify(stored: string | null | undefined, password: string, requester: Requester): Promise<boolean> {
      const reference = stored ?? nobody
      const verify = findAlgorithm(reference)
      const run: RunHash = (name, ...values) => threads.run(requester, name, ...values)
      const matches = verify !== undefined && (await verify(run, reference, normalise(password)))
      return matches && stored != null
    },

    needsRehash: (stored: string): boolean => isWeaker(stored, settings),

    /** Whether a hash that was made elsewhere can be taken over. */
    isUsable: (stored: string): boolean => findAlgorithm(stored) !== undefined,

    close: (): Promise<void> => threads.close(),
  }
}
