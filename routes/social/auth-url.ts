import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../schemas/ref.js'
import { AuthUrl, AuthUrlParameters, AuthUrlQuery } from '../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/authUrl/:platform',
    {
      config: { access: 'open', limit: 'captcha', errors: ['unavailable'] },
      schema: {
        operationId: 'getSocialAuthUrl',
        tags: ['social'],
        summary: 'Begin a sign-in at an identity provider',
        description:
          'The cookie that comes with the answer, or the `verifier` in it, binds the sign-in to the browser. With a token, what comes back can also be linked with `POST /social/bind`, in the session of the token; a token that is no longer good is ignored.',
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
