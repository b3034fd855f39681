import type { FastifyPluginAsync } from 'fastify'
import { actorOf } from '../../../lib/actor.js'
import { CompatOrgBindings, CompatOrgQuery, CompatOrgRoles, CompatRoleIds } from '../schemas/units.js'
import { UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('GET /system/user/:id/org-bindings', {
    operationId: 'compatGetOrgBindings',
    config: { access: 'system:user:view', errors: ['not_found'] },
    summary: 'The units of a user: the tenant',
    params: UserParameters,
    querystring: CompatOrgQuery,
    answer: ref(CompatOrgBindings),
    handler: (request) => app.compat.userRoles.bindings(actorOf(request), request.params.id, request.query),
  })

  add('GET /system/user/:id/org-roles', {
    operationId: 'compatGetOrgRoles',
    config: { access: 'system:user:view', errors: ['not_found'] },
    summary: 'Ids of the roles of a user',
    params: UserParameters,
    querystring: CompatOrgQuery,
    answer: ref(CompatRoleIds),
    handler: (request) => app.compat.userRoles.ids(actorOf(request), request.params.id, request.query),
  })

  add('POST /system/user/:id/org-roles', {
    operationId: 'compatSetOrgRoles',
    config: {
      access: 'system:user:edit',
      errors: ['not_found', 'own_account', 'last_administrator'],
    },
    summary: 'Replace the roles of a user, with immediate effect',
    description: 'The same as `PUT /system/user/{id}/roles`.',
    params: UserParameters,
    body: ref(CompatOrgRoles),
    handler: (request) => app.compat.userRoles.replace(actorOf(request), request.params.id, request.body),
  })
}

export default route
