import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LoginConfig, LoginConfigQuery } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/loginConfig',
    {
      config: { access: 'open' },
      schema: {
        operationId: 'getLoginConfig',
        tags: ['auth'],
        summary: 'Settings for a sign-in page',
        description:
          'Which methods a tenant offers, whether a captcha is needed, and the rules for passwords. Needs no token: ask for it before the sign-in page is shown.',
        querystring: LoginConfigQuery,
        response: { 200: ref(LoginConfig) },
      },
    },
    (request) => app.login.config(request.query),
  )
}

export default route
