import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CodeSent, SmsCodeRequest } from '../../../schemas/one-time-code.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/sms',
    {
      config: {
        access: 'open',
        limit: 'captcha',
        queryAsBody: true,
        errors: ['unsupported_auth_type', 'captcha_required', 'invalid_code'],
      },
      schema: {
        operationId: 'sendSmsCode',
        tags: ['auth'],
        summary: 'Send a one-time code for `phone_captcha`',
        description:
          'The answer is the same, and takes as long, whether or not somebody has this number. Wait `interval` seconds before the next code.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(SmsCodeRequest),
        response: { 200: ref(CodeSent) },
      },
    },
    (request) => app.oneTimeCodes.request('sms', request.body, request.clientContext),
  )
}

export default route
