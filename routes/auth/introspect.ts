import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../schemas/ref.js'
import { IntrospectionRequest, TokenIntrospection } from '../../schemas/resource-servers.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  const { attempts, resourceServers } = app
  app.post(
    '/introspect',
    {
      config: { access: 'open', envelope: false, errors: ['invalid_client', 'too_many_attempts'] },
      schema: {
        operationId: 'introspectToken',
        tags: ['service'],
        summary: 'Ask whether a token is accepted now, as another service (RFC 7662)',
        description:
          'With the id and secret of a service in the setting `introspection.clients` as HTTP Basic. The answer has no envelope. A token that is unknown, expired, revoked or not meant for the asking service, and one of a user who must change the password first, is `{"active":false}`. Asking counts as a use of the token.',
        security: [{ client: [] }],
        consumes: ['application/x-www-form-urlencoded'],
        body: ref(IntrospectionRequest),
        response: { 200: ref(TokenIntrospection) },
      },
      // Before the body is read: strangers learn nothing about what it should be.
      onRequest: async ({ headers, clientContext }) => {
        await attempts.limitClients(clientContext.address, () => resourceServers.authenticate(headers.authorization))
      },
    },
    ({ headers, body }) => resourceServers.introspect(resourceServers.authenticate(headers.authorization), body.token),
  )
}

export default route
