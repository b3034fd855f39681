import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import helmet from 'helmet'

/** What helmet sets, taken down once: it would put the same headers together anew for every request. */
const recordHeaders = (middleware: ReturnType<typeof helmet>) => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => undefined)
  return response.getHeaders()
}

const headers = {
  ...recordHeaders(
    helmet({
      // Swagger UI brings a policy of its own for `/docs`.
      contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
      // Whether browsers may only come by https is for the proxy that ends TLS to say.
      strictTransportSecurity: false,
      // These are about pages that run scripts, or about browsers of long ago.
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  ),
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
