import type { FastifyContextConfig, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { describe, operations } from '../operations.js'

/** The requests of OpenID Connect Core 1.0 and OAuth 2.0, which the library reads and answers. */
const route: FastifyPluginAsync = async (app) => {
  // The library reads bodies itself, and waits for ever for one that somebody else has read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const answer = (request: FastifyRequest, reply: FastifyReply) => app.openIdProvider.answer(request, reply)
  const config = { access: 'open', envelope: false, answersOtherOrigins: true } as const
  const add = (
    method: HTTPMethods,
    url: string,
    operation: Parameters<typeof describe>[0] | undefined,
    more: Pick<FastifyContextConfig, 'limit'> = {},
  ) => {
    const { schema, otherStandard } = operation ? describe(operation) : { schema: { hide: true } }
    app.route({
      ...{ method, url, schema, exposeHeadRoute: false, handler: answer },
      config: { ...config, ...more, ...(otherStandard && { otherStandard }) },
    })
  }

  // Without a session each holds a row for an hour.
  add('GET', '/oidc/authorize', operations.authorize, { limit: 'refresh' })
  add('POST', '/oidc/authorize', operations.postAuthorize, { limit: 'refresh' })
  add('GET', '/oidc/authorize/:uid', undefined)
  add('POST', '/oidc/token', operations.token)
  add('GET', '/oidc/userinfo', operations.userinfo)
  add('POST', '/oidc/userinfo', undefined)
  add('POST', '/oidc/revoke', operations.revoke)
  for (const url of ['/oidc/token', '/oidc/userinfo', '/oidc/revoke']) add('OPTIONS', url, undefined)
}

export default route
