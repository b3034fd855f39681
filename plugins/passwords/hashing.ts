import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import type { Settings } from '../../schemas/settings.js'
import { problem } from '../errors/problem.js'
import { findAlgorithm, isWeaker } from './algorithms.js'
import { createHashThreads } from './hash-threads.js'

/** `Algorithm.Argon2id`: a const enum, which isolated modules cannot read. */
const argon2id = 2
/** Retry-After when the queue is full, seconds. */
const pause = 2
/** Whoever has waited this long for a turn is told to come back: a person has gone by then. Milliseconds. */
const longestWait = 10_000

/** One normal form before hashing: the same password typed on two keyboards is one password (NIST SP 800-63B 3.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC')

/** One for each core. */
const concurrency = availableParallelism()

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/**
 * argon2id in threads of its own, as many at once as there are cores. Beyond `queueLength` waiting hashes, and after a
 * wait of `patience` milliseconds, the answer is `unavailable`: a flood of sign-ins must not grow memory without bound.
 */
export const createHashing = (settings: Settings['passwords'], patience = longestWait) => {
  const parameters = {
    algorithm: argon2id,
    memoryCost: settings.memoryKiB,
    timeCost: settings.passes,
    parallelism: 1,
  }
  const threads = createHashThreads()
  const queue = new PQueue({ concurrency })
  const overloaded = () => problem('unavailable', { retryAfter: pause })

  const run = <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= settings.queueLength) throw overloaded()
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(overloaded()), patience)
    const start = () => {
      clearTimeout(timer)
      return work()
    }
    return queue.add(start, { signal: waiting.signal })
  }

  // What an unknown name is compared with, so that it takes the time of a known one: the hash of no password.
  const [salt, digest] = [unpadded(randomBytes(16)), unpadded(randomBytes(32))]
  const nobody = `$argon2id$v=19$m=${settings.memoryKiB},t=${settings.passes},p=1$${salt}$${digest}`

  return {
    /** How many hashes are made at the same time. */
    threads: concurrency,

    /** PHC string of a new password. */
    hash: (password: string): Promise<string> => run(() => threads.run('hash', normalise(password), parameters)),

    /** Whether `password` belongs to `stored`; without a stored hash, false after the same work. */
    async verify(stored: string | null | undefined, password: string): Promise<boolean> {
      const reference = stored ?? nobody
      const verify = findAlgorithm(reference)
      const matches = verify !== undefined && (await run(() => verify(threads, reference, normalise(password))))
      return matches && stored != null
    },

    needsRehash: (stored: string): boolean => isWeaker(stored, settings),

    /** Whether a hash that was made elsewhere can be taken over. */
    isUsable: (stored: string): boolean => findAlgorithm(stored) !== undefined,

    close: (): Promise<void> => threads.close(),
  }
}
