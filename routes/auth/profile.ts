import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../lib/caller-of.js'
import { CodeSent } from '../../schemas/one-time-code.js'
import { prepared } from '../../schemas/prepared.js'
import { ref } from '../../schemas/ref.js'
import { ContactCodeRequest, ProfileChangeRequest } from '../../schemas/self-service.js'
import { UserInfo } from '../../schemas/user.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.patch(
    '/profile',
    {
      config: {
        access: 'session',
        limit: 'signIn',
        errors: [
          'unsupported_auth_type',
          'invalid_code',
          'invalid_credentials',
          'fresh_sign_in_required',
          'step_up_required',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'changeProfile',
        tags: ['auth'],
        summary: 'Change your own profile',
        description:
          'Changes everything or nothing. A new phone number or e-mail address needs the code of `POST /auth/profile/code`. To change or clear one, the request needs the password, or must come within ten minutes after the sign-in of the session. The old contact gets a notice.',
        body: ref(ProfileChangeRequest),
        response: { 200: prepared(UserInfo) },
      },
    },
    (request) => app.selfService.changeProfile(callerOf(request), request.body, request.clientContext),
  )

  app.post(
    '/profile/code',
    {
      config: {
        access: 'session',
        limit: 'captcha',
        errors: ['unsupported_auth_type', 'captcha_required', 'invalid_code'],
      },
      schema: {
        operationId: 'sendContactCode',
        tags: ['auth'],
        summary: 'Send a one-time code to your new phone number or e-mail address',
        description: '`PATCH /auth/profile` takes the code and changes the contact.',
        body: ref(ContactCodeRequest),
        response: { 200: ref(CodeSent) },
      },
    },
    (request) => app.selfService.requestContactCode(callerOf(request), request.body, request.clientContext),
  )
}

export default route
