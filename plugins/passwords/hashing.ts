import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import PQueue from 'p-queue'
import type { Settings } from '../../schemas/settings.js'
import { problem } from '../errors/problem.js'
import { findAlgorithm, isWeaker } from './algorithms.js'

/** `Algorithm.Argon2id`: a const enum, which isolated modules cannot read. */
const argon2id = 2
/** Hashes run on libuv's four threads; one stays free, so that files and names do not wait behind passwords. */
const threads = Math.max(1, Math.min(availableParallelism(), 3))
/** Retry-After when the queue is full, seconds. */
const pause = 2

/** One normal form before hashing: the same password typed on two keyboards is one password (NIST SP 800-63B 3.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC')

/**
 * argon2id off the main thread, as many at once as there are cores. Beyond `queueLength` waiting hashes the answer is
 * `unavailable`: a flood of sign-ins must not grow memory without bound.
 */
export const createHashing = (settings: Settings['passwords']) => {
  const parameters = {
    algorithm: argon2id,
    memoryCost: settings.memoryKiB,
    timeCost: settings.passes,
    parallelism: 1,
  }
  const queue = new PQueue({ concurrency: threads })
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= settings.queueLength) throw problem('unavailable', { retryAfter: pause })
    return queue.add(work)
  }

  // What an unknown name is compared with, so that it takes the time of a known one.
  const nobody = hash('', parameters)

  return {
    /** How many hashes are made at the same time. */
    threads,

    /** PHC string of a new password. */
    hash: (password: string): Promise<string> => run(() => hash(normalise(password), parameters)),

    /** Whether `password` belongs to `stored`; without a stored hash, false after the same work. */
    async verify(stored: string | null | undefined, password: string): Promise<boolean> {
      const reference = stored ?? (await nobody)
      const verify = findAlgorithm(reference)
      const matches = verify !== undefined && (await run(() => verify(reference, normalise(password))))
      return matches && stored != null
    },

    needsRehash: (stored: string): boolean => isWeaker(stored, settings),

    /** Whether a hash that was made elsewhere can be taken over. */
    isUsable: (stored: string): boolean => findAlgorithm(stored) !== undefined,
  }
}
