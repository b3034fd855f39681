import { type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { UserDetail, UserParameters, UserRolesRequest } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/:id/roles',
    {
      config: {
        access: 'system:user:edit',
        errors: ['not_found', 'own_account', 'last_administrator'],
      },
      schema: {
        operationId: 'setUserRoles',
        tags: ['users'],
        summary: 'Replace the roles of a user, with immediate effect',
        params: UserParameters,
        body: ref(UserRolesRequest),
        response: { 200: ref(UserDetail) },
      },
    },
    (request) => app.management.setRoles(actorOf(request), request.params.id, request.body.roleKeys),
  )
}

export default route
