import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SetupCodeRequest, SetupCodeSent } from '../../../schemas/factors.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/setup-code',
    {
      config: {
        access: 'session',
        ticket: 'setup',
        limit: 'signIn',
        errors: [
          'invalid_grant',
          'unsupported_auth_type',
          'captcha_required',
          'invalid_code',
          'too_many_requests',
          'unavailable',
        ],
      },
      schema: {
        operationId: 'sendSetupCode',
        tags: ['auth'],
        summary: 'Send a code to your contact before you set up a required factor',
        description:
          'For a ticket of `second_factor_setup_required` whose answer names a `contact`: whoever sets up the first factor proves this contact besides. The code goes as `contactCode` with the requests that set the factor up. An account without a verified contact, and somebody who has just proved it, are not asked: `unsupported_auth_type`.',
        body: ref(SetupCodeRequest),
        response: { 200: ref(SetupCodeSent) },
      },
    },
    (request) => app.ownFactors.sendSetupCode(request.body, request.clientContext),
  )
}

export default route
