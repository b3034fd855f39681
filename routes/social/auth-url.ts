import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../schemas/ref.js'
import { AuthUrl, AuthUrlParameters, AuthUrlQuery } from '../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/authUrl/:platform',
    {
      config: { access: 'open', limit: 'captcha', errors: ['unavailable'], answerHeaders: ['Set-Cookie'] },
      schema: {
        operationId: 'getSocialAuthUrl',
        tags: ['social'],
        summary: 'Start a sign-in at an identity provider',
        description:
          'The cookie or the `verifier` of the response binds the sign-in to the browser. If the request has an access token, the identity can also be linked with `POST /social/bind`, in the session of this token; an invalid token is ignored.',
        security: [{ bearer: [] }, {}],
        params: AuthUrlParameters,
        querystring: AuthUrlQuery,
        response: { 200: ref(AuthUrl) },
      },
    },
    async (request, reply) => {
      const { params, query, clientContext, headers } = request
      const caller = await app.sessions.findCaller(headers.authorization)
      const sessionId = caller?.session.id
      const { answer, browserKey } = await app.federation.begin(
        params.platform,
        query,
        clientContext.browser,
        sessionId,
      )
      reply.setBrowserKey(browserKey)
      return answer
    },
  )
}

export default route
