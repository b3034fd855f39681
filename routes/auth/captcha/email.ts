import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CodeSent, EmailCodeRequest } from '../../../schemas/one-time-code.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/email',
    {
      config: {
        access: 'open',
        limit: 'captcha',
        queryAsBody: true,
        errors: ['unsupported_auth_type', 'captcha_required', 'invalid_code'],
      },
      schema: {
        operationId: 'sendEmailCode',
        tags: ['auth'],
        summary: 'Send a one-time code for `email_captcha`',
        description:
          'The answer is the same, and takes as long, whether or not somebody has this address. Wait `interval` seconds before the next code.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(EmailCodeRequest),
        response: { 200: ref(CodeSent) },
      },
    },
    (request) => app.oneTimeCodes.request('email', request.body, request.clientContext),
  )
}

export default route
