import { setTimeout } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Database } from '../db/index.js'
import type { Clock } from '../lib/clock.js'
import { problem } from '../lib/problem.js'

/** A write is tested at most once in this time. Milliseconds. */
const testInterval = 5000
/**
 * A check waits at most this long for the test: another process may hold the write lock, which is no fault. Milliseconds.
 */
const maxWait = 500
/** Retry-After, seconds. */
const retryAfter = 5

/** Checks that the database can be read and written. */
export const createReadiness = (db: Pick<Database, 'ping' | 'testWrite'>, clock: Clock) => {
  let testedAt = -Infinity
  let fault: Error | undefined

  const testWrite = async (): Promise<void> => {
    testedAt = clock.now()
    try {
      await db.testWrite(testedAt)
      fault = undefined
    } catch (error) {
      fault = error as Error
    }
  }

  return {
    /** Throws `unavailable` if the last write test failed, and the error of a failed read. */
    async check(): Promise<void> {
      await db.ping()
      if (clock.now() >= testedAt + testInterval || clock.now() < testedAt) {
        await Promise.race([testWrite(), setTimeout(maxWait, undefined, { ref: false })])
      }
      if (fault) throw problem('unavailable', { cause: fault, retryAfter })
    },
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    readiness: ReturnType<typeof createReadiness>
  }
}

export default fp(
  async (app) => {
    app.decorate('readiness', createReadiness(app.db, app.clock))
  },
  { name: 'readiness', dependencies: ['clock', 'database'] },
)
