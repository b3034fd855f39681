import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'
import { LinkedIdentities, UserIdentityParameters } from '../../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id/identities',
    {
      config: { access: 'system:user:edit', errors: ['not_found'] },
      schema: {
        operationId: 'getUserIdentities',
        tags: ['users'],
        summary: 'The linked identities of a user',
        description: 'A name at a provider that is a contact is masked without the permission `system:user:contact`.',
        params: UserParameters,
        response: { 200: ref(LinkedIdentities) },
      },
    },
    (request) => app.management.identities.list(actorOf(request), request.params.id),
  )

  app.delete(
    '/:id/identities/:identityId',
    {
      config: {
        access: 'system:user:edit',
        errors: ['not_found', 'own_account', 'last_administrator'],
      },
      schema: {
        operationId: 'removeUserIdentity',
        tags: ['users'],
        summary: 'Remove a linked identity of a user',
        description:
          'Ends the sessions that were started with it, and the user gets a notice by mail. Your own are removed by `DELETE /social/bind/{id}`.',
        params: UserIdentityParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.management.identities.remove(actorOf(request), request.params.id, request.params.identityId),
  )
}

export default route
