import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { addressKey } from '../../lib/address-key.js'
import { problem } from '../../lib/problem.js'

/** Names of the limits in the configuration, per minute and network address. */
type Limit = 'signIn' | 'captcha' | 'refresh'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit for the route; absent means none. */
    limit?: Limit
  }
}

/** Enforces the limit of a route. `X-Forwarded-For` is used only if `trustProxy` trusts the proxy. */
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
    // All routes with the same limit share its counter.
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
