import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import {
  LinkedIdentities,
  LinkedIdentity,
  LinkedIdentityParameters,
  LinkIdentityRequest,
} from '../../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '',
    {
      config: { access: 'session', errors: ['password_change_required'] },
      schema: {
        operationId: 'getLinkedIdentities',
        tags: ['social'],
        summary: 'Identities elsewhere that sign in to the account of the caller',
        response: { 200: ref(LinkedIdentities) },
      },
    },
    (request) => app.linkedIdentities.list(callerOf(request)),
  )

  app.post(
    '',
    {
      config: {
        access: 'session',
        limit: 'signIn',
        errors: [
          'password_change_required',
          'invalid_grant',
          'invalid_credentials',
          'fresh_sign_in_required',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'linkIdentity',
        tags: ['social'],
        summary: 'Link an identity elsewhere to the account of the caller',
        description:
          'Only in the session whose token was sent with `GET /social/authUrl/{platform}`, with the password, or within ten minutes of the sign-in of the session. The owner is told by mail. At most ten.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(LinkIdentityRequest),
        response: { 200: ref(LinkedIdentity) },
      },
    },
    (request) => app.linkedIdentities.link(callerOf(request), request.body, request.clientContext.address),
  )

  app.delete(
    '/:id',
    {
      config: { access: 'session', errors: ['password_change_required', 'not_found'] },
      schema: {
        operationId: 'unlinkIdentity',
        tags: ['social'],
        summary: 'Unlink an identity elsewhere',
        description: 'The sessions that it signed in end, but for that of the caller.',
        params: LinkedIdentityParameters,
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      await app.linkedIdentities.unlink(callerOf(request), request.params.id, request.clientContext.address)
      return null
    },
  )
}

export default route
