import { setTimeout } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Database } from '../../db/index.js'
import type { Store } from '../../db/repositories/store.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'

/** A write is tested at most once in this time. Milliseconds. */
const testInterval = 5000
/**
 * A check waits at most this long for the test: another process may hold the write lock, which is no fault. Milliseconds.
 */
const maxWait = 500
/** Retry-After, seconds. */
const retryAfter = 5

/** Lifetime of the entry that tests whether Redis takes writes. Milliseconds. */
const testLifetime = 60_000

/** Checks that the database can be read and written, and Redis if there is one. */
const createReadiness = (
  { db, redis }: { db: Pick<Database, 'ping' | 'testWrite'>; redis: Pick<Store, 'set'> | undefined },
  clock: Clock,
) => {
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

  const checkRedis = async (): Promise<{ redis?: 'ok' | 'unavailable' }> => {
    if (!redis) return {}
    const isFine = await redis.set('write-test', '', testLifetime).then(
      () => true,
      () => false,
    )
    return { redis: isFine ? 'ok' : 'unavailable' }
  }

  return {
    /**
     * Throws `unavailable` if the last write test failed, and the error of a failed read. A failure of Redis is
     * told and not thrown: it stops all processes from signing people in, and none from checking tokens, so that a load
     * balancer must not leave them out.
     */
    async check() {
      const [redisState] = await Promise.all([checkRedis(), db.ping()])
      if (clock.now() >= testedAt + testInterval || clock.now() < testedAt) {
        await Promise.race([testWrite(), setTimeout(maxWait, undefined, { ref: false })])
      }
      if (fault) throw problem('unavailable', { cause: fault, retryAfter })
      return { status: 'ok', ...redisState }
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
    const { clock, db, installation, store } = app
    const redis = installation.settings.redisUrl === null ? undefined : store
    app.decorate('readiness', createReadiness({ db, redis }, clock))
  },
  { name: 'run/readiness' },
)
