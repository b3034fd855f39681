import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf } from '../../../lib/account-of.js'
import { confirmErrors, EnrolledFactor, enrolErrors } from '../../../schemas/factors.js'
import { BeginPasskeyRequest, PasskeyCreationOptions, RegisterPasskeyRequest } from '../../../schemas/passkeys.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/passkey/options',
    {
      config: { access: 'session', ticket: 'setup', limit: 'signIn', errors: enrolErrors },
      schema: {
        operationId: 'beginPasskey',
        tags: ['auth'],
        summary: 'Begin to set up a passkey',
        description:
          'For `navigator.credentials.create`, five minutes valid. The first factor needs a sign-in of the last ten minutes or the password, another one a factor that was proved in the session within ten minutes (`POST /auth/stepUp`).',
        body: ref(BeginPasskeyRequest),
        response: { 200: ref(PasskeyCreationOptions) },
      },
    },
    (request) => app.ownFactors.passkeys.begin(request.caller, request.body, request.clientContext),
  )

  app.post(
    '/passkey',
    {
      config: {
        access: 'session',
        ticket: 'setup',
        limit: 'signIn',
        errors: [...confirmErrors, 'factor_exists'],
        answerHeaders: ['Set-Cookie'],
      },
      schema: {
        operationId: 'registerPasskey',
        tags: ['auth'],
        summary: 'Set up a passkey by what the browser has made',
        description:
          'At most 20 for each account. The other sessions end, no browser is trusted any more, and the owner gets a notice by mail. With a ticket, `session` is the result of the sign-in.',
        body: ref(RegisterPasskeyRequest),
        response: { 200: ref(EnrolledFactor) },
      },
    },
    async (request, reply) => {
      const { caller, body, clientContext } = request
      const page = request.keepsPage(body.cookie)
      const { enrolled, session } = await app.ownFactors.passkeys.register(caller, body, clientContext, { page })
      if (session) await reply.setCookiesOf(session)
      else if (caller) reply.setDeviceCookie(accountOf(caller.user))
      return enrolled
    },
  )
}

export default route
