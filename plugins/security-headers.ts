import cors, { type FastifyCorsOptions } from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** Headers of every answer: nothing is cached, framed or sniffed, and only the named origins may read. */
export default fp(
  async (app) => {
    await app.register(helmet, {
      // Swagger UI brings a policy of its own for `/docs`.
      contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
      // Whether browsers may only come by https is for the proxy that ends TLS to say.
      strictTransportSecurity: false,
    })
    const policy: FastifyCorsOptions = {
      origin: app.installation.settings.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposedHeaders: ['Retry-After', 'WWW-Authenticate'],
      maxAge: 600,
    }
    await app.register(cors, {
      // An OPTIONS request that is no preflight is a method like any other that a route does not have.
      delegator: ({ headers }: FastifyRequest, done: (error: null, policy: FastifyCorsOptions) => void) =>
        done(null, { ...policy, preflight: 'access-control-request-method' in headers }),
    })
    // Tokens, captchas and personal data must not lie in a cache (RFC 6749 5.1).
    app.addHook('onRequest', async (_request, reply) => {
      void reply.header('cache-control', 'no-store')
    })
  },
  { name: 'security-headers', dependencies: ['config'] },
)
