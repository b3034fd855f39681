import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CodeSent } from '../../../schemas/one-time-code.js'
import { ref } from '../../../schemas/ref.js'
import { ForgotPasswordRequest } from '../../../schemas/self-service.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/forgot',
    {
      config: {
        access: 'open',
        limit: 'captcha',
        errors: ['unsupported_auth_type', 'captcha_required', 'invalid_code'],
      },
      schema: {
        operationId: 'forgotPassword',
        tags: ['auth'],
        summary: 'Send a one-time code with which a forgotten password can be replaced',
        description: 'The answer is the same whether or not an account has this phone number or e-mail address.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(ForgotPasswordRequest),
        response: { 200: ref(CodeSent) },
      },
    },
    (request) => app.selfService.forgot(request.body, request.clientContext),
  )
}

export default route
