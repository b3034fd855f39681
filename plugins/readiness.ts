import { setTimeout } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Database } from '../db/index.js'
import type { Clock } from '../lib/clock.js'
import { problem } from '../lib/problem.js'

/** A write is tested at most once in this time. Milliseconds. */
const testPause = 5000
/** An answer waits no longer for it: another process that holds the write lock for a while is no fault. Milliseconds. */
const maxWait = 500
/** Retry-After, seconds. */
const retryAfter = 5

/** Tells whether the service can do its work: the database answers, and takes a write. */
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
    /** Throws `unavailable` when the last write that was tested failed, and what reading throws. */
    async check(): Promise<void> {
      await db.ping()
      if (clock.now() >= testedAt + testPause || clock.now() < testedAt) {
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
