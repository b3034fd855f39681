import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf } from '../../lib/account-of.js'
import { callerOf } from '../../lib/caller-of.js'
import { ChangePasswordRequest } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/changePassword',
    {
      config: {
        answerHeaders: ['Set-Cookie'],
        access: 'session',
        beforePasswordChange: true,
        limit: 'signIn',
        queryAsBody: true,
        errors: ['invalid_credentials', 'fresh_sign_in_required', 'step_up_required', 'too_many_attempts'],
      },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change your password; ends your other sessions',
        description:
          'The response renews the device cookie. A user without a password sets the first one without `oldPassword`, within ten minutes after the sign-in of the session.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(ChangePasswordRequest),
        response: { 200: Type.Null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      await app.accounts.changePassword(caller, request.body, request.clientContext)
      reply.setDeviceCookie(accountOf(caller.user))
    },
  )
}

export default route
