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
        description: 'The cookie that comes with the answer binds the sign-in to the browser.',
        params: AuthUrlParameters,
        querystring: AuthUrlQuery,
        response: { 200: ref(AuthUrl) },
      },
    },
    async (request, reply) => {
      const { answer, browserKey } = await app.federation.begin(request.params.platform, request.query, request.browser)
      reply.rememberBrowser(browserKey)
      return answer
    },
  )
}

export default route
