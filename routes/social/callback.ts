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
        summary: 'Exchange what an identity provider sent back for a one-use ticket',
        description:
          'Only from the browser that began, which shows it by the cookie or by the `verifier` of `GET /social/authUrl/{platform}`.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(SocialCallbackRequest),
        response: { 200: ref(SocialTicket) },
      },
    },
    (request) => app.federation.complete(request.body, request.clientContext.browser),
  )
}

export default route
