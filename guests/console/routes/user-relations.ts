import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import {
  CompatTenantOfUsers,
  CompatUserTenants,
  CompatUserTenantsChange,
  CompatUserUnitsChange,
} from '../schemas/relations.js'
import { UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/system/user/:id/tenants',
    {
      config: { access: 'system:user:view', errors: ['not_found'] },
      schema: {
        operationId: 'compatGetUserTenants',
        tags: ['compat'],
        summary: 'The tenants of a user: one',
        params: UserParameters,
        response: { 200: ref(CompatUserTenants) },
      },
    },
    (request) => app.compat.userRelations.tenants(actorOf(request), request.params.id),
  )

  app.post(
    '/system/user/:id/tenants',
    {
      config: { access: 'system:user:edit', errors: ['not_found'] },
      schema: {
        operationId: 'compatSetUserTenants',
        tags: ['compat'],
        summary: 'Choose the tenants of a user: the one that the user has',
        description:
          'Changes nothing: any other choice is refused, because a user stays in the tenant in which it was added.',
        params: UserParameters,
        body: ref(CompatUserTenantsChange),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userRelations.checkTenants(actorOf(request), request.params.id, request.body),
  )

  app.post(
    '/system/user/:id/orgs',
    {
      config: { access: 'system:user:edit', errors: ['not_found'] },
      schema: {
        operationId: 'compatSetUserUnits',
        tags: ['compat'],
        summary: 'Choose the units of a user: the tenant',
        description: 'Changes nothing: any other choice is refused.',
        params: UserParameters,
        body: ref(CompatUserUnitsChange),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userRelations.checkUnits(actorOf(request), request.params.id, request.body),
  )

  app.post(
    '/system/user/batch/tenants',
    {
      config: { access: 'system:user:edit', errors: ['not_found'] },
      schema: {
        operationId: 'compatSetTenantOfUsers',
        tags: ['compat'],
        summary: 'Choose the tenant of several users: the one that they have',
        description: 'Changes nothing: any other choice is refused.',
        body: ref(CompatTenantOfUsers),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userRelations.checkTenantOfMany(actorOf(request), request.body),
  )
}

export default route
