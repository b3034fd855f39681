import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { ref } from '../../../schemas/ref.js'
import { RolePage, RoleQuery } from '../../../schemas/role.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'system:role:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getRolePage',
        tags: ['management'],
        summary: 'A page of roles',
        description: 'Roles of the tenant of the caller; a system administrator sees all tenants. Oldest first.',
        querystring: RoleQuery,
        response: { 200: ref(RolePage) },
      },
    },
    (request) => app.management.roles.page(actorOf(request), request.query, () => request.signal),
  )
}

export default route
