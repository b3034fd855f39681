import cors from '@fastify/cors'
import fp from 'fastify-plugin'

/**
 * HSTS is not set here: it belongs to the proxy that terminates TLS. Headers that concern only scripts in pages or outdated
 * browsers are omitted.
 */
const headers = {
  // `/docs` has its own policy for Swagger UI.
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers that do not support `frame-ancestors`.
  'x-frame-options': 'SAMEORIGIN',
  // Tokens, captchas and personal data must not be cached (RFC 6749 5.1).
  'cache-control': 'no-store',
}

/** What scripts of other origins may read beside the envelope: what a program acts on, and the name of an exported file. */
const exposedHeaders = [
  'Content-Disposition',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers scripts of other origins itself, by what it knows of them. */
    answersOtherOrigins?: true
  }
}

/** Headers of every response: no caching, no framing, no MIME sniffing. CORS, with credentials, only for `corsOrigins`. */
export default fp(
  async (app) => {
    const { corsOrigins } = app.installation.settings
    app.addHook('onRequest', (_request, reply, next) => {
      reply.headers(headers)
      next()
    })
    // Without `corsOrigins` responses do not depend on `Origin`, so they need no `Vary` header.
    if (corsOrigins.length === 0) return
    app.addHook('onRequest', (request, reply, next) => {
      // Only for the configured origins; @fastify/cors would send this header to every origin.
      if (corsOrigins.includes(request.headers.origin ?? '')) reply.header('access-control-allow-credentials', 'true')
      // An OPTIONS request that is not a preflight is answered 405, like any other method that a route does not have.
      const isPreflight = 'origin' in request.headers && 'access-control-request-method' in request.headers
      const { answersOtherOrigins } = request.routeOptions.config
      if (answersOtherOrigins) next()
      else if (request.method === 'OPTIONS' && !isPreflight) reply.callNotFound()
      else next()
    })
    const options = {
      origin: corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders,
      maxAge: 600,
    }
    await app.register(cors, {
      delegator: (request, done) =>
        done(null, request.routeOptions.config.answersOtherOrigins ? { origin: false } : options),
    })
  },
  { name: 'http/security-headers' },
)
