import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CodeSent, EmailCodeRequest, SmsCodeRequest } from '../../../schemas/one-time-code.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  const channels = [
    ['email', 'sendEmailCode', ref(EmailCodeRequest), 'email_captcha', 'address'],
    ['sms', 'sendSmsCode', ref(SmsCodeRequest), 'phone_captcha', 'number'],
  ] as const
  for (const [channel, operationId, body, authType, contact] of channels) {
    app.post(
      `/${channel}`,
      {
        config: {
          access: 'open',
          limit: 'captcha',
          queryAsBody: true,
          errors: ['unsupported_auth_type', 'captcha_required', 'invalid_code'],
        },
        schema: {
          operationId,
          tags: ['auth'],
          summary: `Send a one-time code for \`${authType}\``,
          description: `The answer is the same, and takes as long, whether or not somebody has this ${contact}. Wait \`interval\` seconds before the next code.`,
          consumes: ['application/json', 'application/x-www-form-urlencoded'],
          body,
          response: { 200: ref(CodeSent) },
        },
      },
      (request) => app.oneTimeCodes.request(channel, request.body, request.clientContext),
    )
  }
}

export default route
