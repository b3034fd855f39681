import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Captcha, CaptchaQuery } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/captcha',
    {
      config: { access: 'open', limit: 'captcha' },
      schema: {
        operationId: 'getCaptcha',
        tags: ['auth'],
        summary: 'Create a captcha, which can be answered once',
        description:
          'A picture of letters, or a challenge of work, as `captchaType` says. Send `codeKey` and the answer as `code` with the sign-in.',
        querystring: CaptchaQuery,
        response: { 200: ref(Captcha) },
      },
    },
    (request) => app.captchas.create(request.query.tenantId, request.ip),
  )
}

export default route
