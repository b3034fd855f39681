import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
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
    (request) => app.federation.links.list(request.caller),
  )

  app.post(
    '',
    {
      config: { access: 'session', limit: 'signIn', errors: ['password_change_required', 'invalid_grant'] },
      schema: {
        operationId: 'linkIdentity',
        tags: ['social'],
        summary: 'Link an identity elsewhere to the account of the caller',
        description: 'Only in the session whose token was sent with `GET /social/authUrl/{platform}`.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(LinkIdentityRequest),
        response: { 200: ref(LinkedIdentity) },
      },
    },
    (request) => app.federation.links.link(request.caller, request.body.socialTicket),
  )

  app.delete(
    '/:id',
    {
      config: { access: 'session', errors: ['password_change_required', 'not_found'] },
      schema: {
        operationId: 'unlinkIdentity',
        tags: ['social'],
        summary: 'Unlink an identity elsewhere',
        params: LinkedIdentityParameters,
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      await app.federation.links.unlink(request.caller, request.params.id)
      return null
    },
  )
}

export default route
