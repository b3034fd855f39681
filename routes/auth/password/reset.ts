import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../../schemas/ref.js'
import { PasswordReset, ResetPasswordRequest } from '../../../schemas/self-service.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/reset',
    {
      config: {
        access: 'open',
        limit: 'signIn',
        errors: ['unsupported_auth_type', 'invalid_code', 'account_disabled', 'tenant_disabled', 'too_many_attempts'],
      },
      schema: {
        operationId: 'resetPassword',
        tags: ['auth'],
        summary: 'Set a new password with a one-time code; ends all sessions of the user',
        description:
          'The code is that of `POST /auth/password/forgot`, or of an invitation. It also ends lockouts after failed sign-ins. The owner gets a notice by mail, unless it is the first password of an account in which nobody has signed in.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(ResetPasswordRequest),
        response: { 200: ref(PasswordReset) },
      },
    },
    (request) => app.selfService.reset(request.body, request.clientContext),
  )
}

export default route
