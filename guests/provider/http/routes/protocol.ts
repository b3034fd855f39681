import type { FastifyPluginAsync, FastifyRequest, FastifyReply } from 'fastify'

/** The requests of OpenID Connect Core 1.0 and OAuth 2.0, which the library reads and answers. */
const route: FastifyPluginAsync = async (app) => {
  // The library reads bodies itself, and waits for ever for one that somebody else has read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const config = { access: 'open', envelope: false, answersOtherOrigins: true } as const
  const answer = (request: FastifyRequest, reply: FastifyReply) => app.openIdProvider.answer(request, reply)
  const schema = { hide: true }

  // Without a session each holds a row for an hour.
  app.route({
    method: ['GET', 'POST'],
    url: '/oidc/authorize',
    exposeHeadRoute: false,
    config: { ...config, limit: 'refresh' },
    schema,
    handler: answer,
  })
  app.get('/oidc/authorize/:uid', { exposeHeadRoute: false, config, schema }, answer)
  app.route({ method: ['POST', 'OPTIONS'], url: '/oidc/token', config, schema, handler: answer })
  app.route({
    ...{ method: ['GET', 'POST', 'OPTIONS'], url: '/oidc/userinfo' },
    ...{ exposeHeadRoute: false, config, schema, handler: answer },
  })
  app.route({ method: ['POST', 'OPTIONS'], url: '/oidc/revoke', config, schema, handler: answer })
}

export default route
