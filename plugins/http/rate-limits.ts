import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { addressKey } from '../../lib/address-key.js'
import { problem } from '../../lib/problem.js'

/** The limits of the configuration, per minute and network address. */
type Limit = 'signIn' | 'captcha' | 'refresh'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which limit of the configuration holds for the route; absent means none. */
    limit?: Limit
  }
}

/** Enforces the limit that a route names. Forwarded addresses count only where `trustProxy` says whom to believe. */
export default fp(
  async (app) => {
    const { enabled, ...limits } = app.installation.settings.rateLimits
    if (!enabled) return
    await app.register(rateLimit, {
      global: false,
      timeWindow: 60_000,
      keyGenerator: (request) => addressKey(request.ip),
      errorResponseBuilder: (_request, context) => problem('too_many_requests', { retryAfter: context.ttl / 1000 }),
    })
    // One counter for each limit, not for each route.
    const signIn = app.rateLimit({ max: limits.signIn })
    const captcha = app.rateLimit({ max: limits.captcha })
    const refresh = app.rateLimit({ max: limits.refresh })
    const counters = { signIn, captcha, refresh }
    app.addHook('onRoute', (route) => {
      const limit = route.config?.limit
      if (limit) route.onRequest = [counters[limit], ...[route.onRequest ?? []].flat()]
    })
  },
  { name: 'rate-limits', dependencies: ['config', 'errors'] },
)
