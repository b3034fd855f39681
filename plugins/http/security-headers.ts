import cors from '@fastify/cors'
import fp from 'fastify-plugin'

/**
 * Whether browsers may only come by https (HSTS) is for the proxy that ends TLS to say. Headers about pages that run
 * scripts, or about browsers of long ago, are left out.
 */
const headers = {
  // Swagger UI brings a policy of its own for `/docs`.
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'SAMEORIGIN',
  // Tokens, captchas and personal data must not lie in a cache (RFC 6749 5.1).
  'cache-control': 'no-store',
}

/** Headers of every answer: nothing is cached, framed or sniffed, and only the named origins may read, with cookies too. */
export default fp(
  async (app) => {
    const { corsOrigins } = app.installation.settings
    app.addHook('onRequest', (_request, reply, next) => {
      reply.headers(headers)
      next()
    })
    // Without origins nothing depends on the origin of a request, not even `Vary`.
    if (corsOrigins.length === 0) return
    app.addHook('onRequest', (request, reply, next) => {
      // For front ends of the same site, whose browsers may send the cookies. @fastify/cors would say it to every origin.
      if (corsOrigins.includes(request.headers.origin ?? '')) reply.header('access-control-allow-credentials', 'true')
      // An OPTIONS request that is no preflight is a method like any other that a route does not have.
      const isPreflight = 'origin' in request.headers && 'access-control-request-method' in request.headers
      if (request.method === 'OPTIONS' && !isPreflight) reply.callNotFound()
      else next()
    })
    await app.register(cors, {
      origin: corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposedHeaders: ['Retry-After', 'WWW-Authenticate'],
      maxAge: 600,
    })
  },
  { name: 'security-headers', dependencies: ['config'] },
)
