import type { FastifyPluginAsync } from 'fastify'
import { actorOf } from '../../../lib/actor.js'
import {
  CompatTenantOfUsers,
  CompatUserTenants,
  CompatUserTenantsChange,
  CompatUserUnitsChange,
} from '../schemas/relations.js'
import { UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('GET /system/user/:id/tenants', {
    operationId: 'compatGetUserTenants',
    config: { access: 'system:user:view', errors: ['not_found'] },
    summary: 'The tenants of a user: one',
    params: UserParameters,
    answer: ref(CompatUserTenants),
    handler: (request) => app.compat.userRelations.tenants(actorOf(request), request.params.id),
  })

  add('POST /system/user/:id/tenants', {
    operationId: 'compatSetUserTenants',
    config: { access: 'system:user:edit', errors: ['not_found'] },
    summary: 'Choose the tenants of a user: the one that the user has',
    description:
      'Changes nothing: any other choice is refused, because a user stays in the tenant in which it was added.',
    params: UserParameters,
    body: ref(CompatUserTenantsChange),
    handler: (request) => app.compat.userRelations.checkTenants(actorOf(request), request.params.id, request.body),
  })

  add('POST /system/user/:id/orgs', {
    operationId: 'compatSetUserUnits',
    config: { access: 'system:user:edit', errors: ['not_found'] },
    summary: 'Choose the units of a user: the tenant',
    description: 'Changes nothing: any other choice is refused.',
    params: UserParameters,
    body: ref(CompatUserUnitsChange),
    handler: (request) => app.compat.userRelations.checkUnits(actorOf(request), request.params.id, request.body),
  })

  add('POST /system/user/batch/tenants', {
    operationId: 'compatSetTenantOfUsers',
    config: { access: 'system:user:edit', errors: ['not_found'] },
    summary: 'Choose the tenant of several users: the one that they have',
    description: 'Changes nothing: any other choice is refused.',
    body: ref(CompatTenantOfUsers),
    handler: (request) => app.compat.userRelations.checkTenantOfMany(actorOf(request), request.body),
  })
}

export default route
