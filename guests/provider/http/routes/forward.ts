import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ForwardQuery } from '../../schemas.js'

const hasOtherLetters = (headers: Record<string, string> = {}): boolean =>
  /[^\x00-\x7f]/.test(Object.values(headers).join(''))

/** What a reverse proxy asks of each request for a protected host. */
const route: FastifyPluginAsyncTypebox = async (app) => {
  // Proxies send the headers of a body without the body.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const identity = new WeakMap<object, Record<string, string>>()

  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/auth/forward',
    config: {
      access: 'open',
      answersOtherOrigins: true,
      errors: [
        'token_missing',
        'access_denied',
        'host_not_protected',
        'step_up_required',
        'fresh_sign_in_required',
        'token_not_allowed',
        'password_change_required',
      ],
      answerHeaders: ['X-User-Id', 'X-Tenant-Id'],
    },
    schema: {
      operationId: 'forward',
      tags: ['applications'],
      summary: 'Ask whether a request for a protected application passes, for reverse proxies',
      description:
        'By the session of the browser, or the access token or API token of a script. The proxy says by `X-Forwarded-Host`, `X-Forwarded-Proto`, `X-Forwarded-Uri` and `X-Forwarded-Method` what it was asked for. 200: it passes, and `Remote-User`, `Remote-Name`, `Remote-Email`, `Remote-Groups`, `X-User-Id` and `X-Tenant-Id` say who comes; all of them are there each time, empty where there is nothing to say. 302: a person has to sign in first. 401, 403: it does not pass.',
      querystring: ForwardQuery,
      response: { 200: Type.Null() },
    },
    async preHandler(request, reply) {
      const headers = await app.forward.decide(request, reply, request.query.proxy === 'nginx')
      if (!headers) return reply
      identity.set(request, headers)
      return undefined
    },
    // Node.js writes headers byte by byte only apart from a body that is text: names would be encoded twice. Together is faster.
    onSend(request, _reply, payload, done) {
      done(null, typeof payload === 'string' && hasOtherLetters(identity.get(request)) ? Buffer.from(payload) : payload)
    },
    handler: async (request, reply) => {
      void reply.headers(identity.get(request) ?? {})
      return null
    },
  })
}

export default route
