import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf } from '../../lib/account-of.js'
import { callerOf } from '../../lib/caller-of.js'
import { StepUpRequest, StepUpResult } from '../../schemas/factors.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/stepUp',
    {
      config: {
        access: 'session',
        beforePasswordChange: true,
        limit: 'signIn',
        errors: [
          'invalid_credentials',
          'invalid_code',
          'invalid_grant',
          'unknown_credential',
          'unsupported_auth_type',
          'totp_blocked',
          'too_many_attempts',
        ],
        answerHeaders: ['Set-Cookie'],
      },
      schema: {
        operationId: 'stepUp',
        tags: ['auth'],
        summary: 'Prove your password or a second factor again',
        description:
          'In the session of the token (RFC 9470), after an answer 403 `step_up_required` or `fresh_sign_in_required`. It holds for ten minutes; the token stays the same.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(StepUpRequest),
        response: { 200: ref(StepUpResult) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const result = await app.ownFactors.stepUp(caller, request.body, request.clientContext)
      // The browser of a proved factor is known for second steps.
      if (request.body.authType !== 'password') reply.setDeviceCookie(accountOf(caller.user))
      return result
    },
  )
}

export default route
