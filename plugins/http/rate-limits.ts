import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import type { Store } from '../../db/repositories/store.js'
import { addressKey } from '../../lib/address-key.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'

/** Names of the limits in the configuration, per minute and network address. */
type Limit = 'signIn' | 'captcha' | 'refresh'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit for the route; absent means none. */
    limit?: Limit
  }
}

const timeWindow = 60_000

/** Counts requests where those of all processes are counted, as the library wants it. */
const sharedCounters = (store: Store, clock: Clock) =>
  class SharedCounters implements FastifyRateLimitStore {
    incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void) {
      store.increment(key, 1, timeWindow).then(
        ({ count, expiry }) => done(null, { current: count, ttl: Math.max(1, expiry - clock.now()) }),
        (error: unknown) => done(error as Error),
      )
    }

    child() {
      return this
    }
  }

/** Enforces the limit of a route. `X-Forwarded-For` is used only if `trustProxy` trusts the proxy. */
export default fp(
  async (app) => {
    const { enabled, ...limits } = app.installation.settings.rateLimits
    if (!enabled) return
    await app.register(rateLimit, {
      global: false,
      timeWindow,
      ...(app.requestCounters ? { store: sharedCounters(app.requestCounters, app.clock) } : {}),
      errorResponseBuilder: (_request, context) => problem('too_many_requests', { retryAfter: context.ttl / 1000 }),
    })
    // All routes with the same limit share its counter.
    const createCounter = (limit: Limit, options: { skipOnError?: boolean } = {}) =>
      app.rateLimit({
        max: limits[limit],
        keyGenerator: (request) => `requests:${limit}:${addressKey(request.ip)}`,
        ...options,
      })
    const counters = {
      signIn: createCounter('signIn'),
      captcha: createCounter('captcha'),
      // Users stay signed in, and can sign out, while Redis does not answer.
      refresh: createCounter('refresh', { skipOnError: true }),
    }
    app.addHook('onRoute', (route) => {
      const limit = route.config?.limit
      if (limit) route.onRequest = [...[route.onRequest ?? []].flat(), counters[limit]]
    })
  },
  { name: 'http/rate-limits' },
)
