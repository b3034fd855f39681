import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../schemas/ref.js'
import { SocialCallbackRequest, SocialTicket } from '../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/callback',
    {
      config: { access: 'open', limit: 'signIn', errors: ['invalid_grant', 'unavailable'] },
      schema: {
        operationId: 'completeSocialSignIn',
        tags: ['social'],
        summary: 'Exchange the authorization code of an identity provider for a ticket',
        description:
          'Must come from the browser that started the sign-in: it sends the cookie or the `verifier` of `GET /social/authUrl/{platform}`. A ticket can be used once.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(SocialCallbackRequest),
        response: { 200: ref(SocialTicket) },
      },
    },
    (request) => app.federation.complete(request.body, request.clientContext.browser),
  )
}

export default route
