import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CodeSent } from '../../schemas/one-time-code.js'
import { ref } from '../../schemas/ref.js'
import { Registered, RegistrationCodeRequest, RegistrationRequest } from '../../schemas/self-service.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/register/code',
    {
      config: {
        access: 'open',
        limit: 'captcha',
        errors: ['registration_closed', 'tenant_disabled', 'unsupported_auth_type', 'captcha_required', 'invalid_code'],
      },
      schema: {
        operationId: 'sendRegistrationCode',
        tags: ['auth'],
        summary: 'Send a one-time code for a registration',
        description: 'The answer is the same whether or not an account has this phone number or e-mail address.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(RegistrationCodeRequest),
        response: { 200: ref(CodeSent) },
      },
    },
    (request) => app.selfService.requestRegistrationCode(request.body, request.clientContext),
  )

  app.post(
    '/register',
    {
      config: {
        access: 'open',
        limit: 'signIn',
        errors: [
          'registration_closed',
          'tenant_disabled',
          'unsupported_auth_type',
          'invalid_code',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'register',
        tags: ['auth'],
        summary: 'Add an account of your own',
        description:
          'Closed unless the configuration opens it. The phone number or e-mail address is proved by a code of `POST /auth/register/code`. The new user has no roles, and signs in afterwards.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(RegistrationRequest),
        response: { 200: ref(Registered) },
      },
    },
    (request) => app.selfService.register(request.body, request.clientContext),
  )
}

export default route
