import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PasskeyOptionsRequest, PasskeyRequestOptions } from '../../schemas/passkeys.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/passkey/options',
    {
      config: { access: 'open', limit: 'signIn', errors: ['invalid_grant', 'unsupported_auth_type'] },
      schema: {
        operationId: 'passkeyOptions',
        tags: ['auth'],
        summary: 'Begin to use a passkey',
        description:
          'For `navigator.credentials.get`, five minutes valid. Alone: for a sign-in without a name, with an empty list. With the `ticket` of a first step, or with the token of a session for `POST /auth/stepUp`: for the passkeys of the account. A token that is not valid, or whose account has no passkey, counts as none.',
        security: [{ bearer: [] }, {}],
        body: ref(PasskeyOptionsRequest),
        response: { 200: ref(PasskeyRequestOptions) },
      },
    },
    async ({ body, headers }) =>
      app.login.passkeyOptions(body.ticket, () => app.sessions.findCaller(headers.authorization)),
  )
}

export default route
