import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { ref } from '../../../schemas/ref.js'
import {
  NewRoleRequest,
  RoleChangeRequest,
  RoleParameters,
  RoleRecord,
  RoleTenantQuery,
} from '../../../schemas/role.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:key',
    {
      config: { access: 'system:role:list', errors: ['not_found'] },
      schema: {
        operationId: 'getRole',
        tags: ['management'],
        summary: 'One role',
        description:
          'Of the tenant of the caller; a system administrator names another one with `tenantId`. A role with the key `page` is only in the list.',
        params: RoleParameters,
        querystring: RoleTenantQuery,
        response: { 200: ref(RoleRecord) },
      },
    },
    (request) => app.management.roles.get(actorOf(request), { ...request.query, ...request.params }),
  )

  app.post(
    '',
    {
      config: { access: 'system:role:add', errors: ['role_limit_reached'] },
      schema: {
        operationId: 'addRole',
        tags: ['management'],
        summary: 'Add a role',
        description:
          'A tenant has at most 1,000 roles. A user who is no administrator gives only permissions that it has.',
        body: ref(NewRoleRequest),
        response: { 200: ref(RoleRecord) },
      },
    },
    (request) => app.management.roles.add(actorOf(request), request.body),
  )

  app.patch(
    '/:key',
    {
      config: { access: 'system:role:edit', errors: ['not_found', 'last_administrator'] },
      schema: {
        operationId: 'changeRole',
        tags: ['management'],
        summary: 'Change a role, with immediate effect',
        description:
          '`permissions` replaces the whole set. Nobody changes a role of somebody who ranks higher. A user who is no administrator changes only roles that it does not have itself and that grant no more than it has.',
        params: RoleParameters,
        querystring: RoleTenantQuery,
        body: ref(RoleChangeRequest),
        response: { 200: ref(RoleRecord) },
      },
    },
    (request) => app.management.roles.edit(actorOf(request), { ...request.query, ...request.params }, request.body),
  )

  app.delete(
    '/:key',
    {
      config: { access: 'system:role:delete', errors: ['not_found', 'last_administrator'] },
      schema: {
        operationId: 'deleteRole',
        tags: ['management'],
        summary: 'Delete a role and take it from its users, with immediate effect',
        description: 'Under the rules for a change. Repeating the request changes nothing.',
        params: RoleParameters,
        querystring: RoleTenantQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.management.roles.delete(actorOf(request), { ...request.query, ...request.params }),
  )
}

export default route
