import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { CompatOrgBindings, CompatOrgQuery, CompatOrgRoles, CompatRoleIds } from '../schemas/units.js'
import { UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/system/user/:id/org-bindings',
    {
      config: { access: 'system:user:view', errors: ['not_found'] },
      schema: {
        operationId: 'compatGetOrgBindings',
        tags: ['compat'],
        summary: 'The units of a user: the tenant',
        params: UserParameters,
        querystring: CompatOrgQuery,
        response: { 200: ref(CompatOrgBindings) },
      },
    },
    (request) => app.compat.userRoles.bindings(actorOf(request), request.params.id, request.query),
  )

  app.get(
    '/system/user/:id/org-roles',
    {
      config: { access: 'system:user:view', errors: ['not_found'] },
      schema: {
        operationId: 'compatGetOrgRoles',
        tags: ['compat'],
        summary: 'Ids of the roles of a user',
        params: UserParameters,
        querystring: CompatOrgQuery,
        response: { 200: ref(CompatRoleIds) },
      },
    },
    (request) => app.compat.userRoles.ids(actorOf(request), request.params.id, request.query),
  )

  app.post(
    '/system/user/:id/org-roles',
    {
      config: {
        access: 'system:user:edit',
        errors: ['not_found', 'own_account', 'last_administrator'],
      },
      schema: {
        operationId: 'compatSetOrgRoles',
        tags: ['compat'],
        summary: 'Replace the roles of a user, with immediate effect',
        description: 'The same as `PUT /system/user/{id}/roles`.',
        params: UserParameters,
        body: ref(CompatOrgRoles),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userRoles.replace(actorOf(request), request.params.id, request.body),
  )
}

export default route
