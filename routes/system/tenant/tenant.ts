import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { ref } from '../../../schemas/ref.js'
import { NewTenantRequest, TenantChangeRequest, TenantParameters, TenantRecord } from '../../../schemas/tenant.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id',
    {
      config: { access: 'system:tenant:list', errors: ['not_found'] },
      schema: {
        operationId: 'getTenant',
        tags: ['management'],
        summary: 'One tenant',
        description: 'A system administrator sees all tenants, everybody else its own.',
        params: TenantParameters,
        response: { 200: ref(TenantRecord) },
      },
    },
    (request) => app.management.tenants.get(actorOf(request), request.params.id),
  )

  app.post(
    '',
    {
      config: { access: 'system:tenant:add' },
      schema: {
        operationId: 'addTenant',
        tags: ['management'],
        summary: 'Add a tenant',
        description: 'Only for system administrators.',
        body: ref(NewTenantRequest),
        response: { 200: ref(TenantRecord) },
      },
    },
    (request) => app.management.tenants.add(actorOf(request), request.body),
  )

  app.patch(
    '/:id',
    {
      config: { access: 'system:tenant:edit', errors: ['not_found', 'last_administrator'] },
      schema: {
        operationId: 'changeTenant',
        tags: ['management'],
        summary: 'Rename, disable or enable a tenant, or require a second factor there',
        description:
          'Only for system administrators. Disabling ends the sessions of all its users at once. The default tenant and that of the last administrator cannot be disabled.',
        params: TenantParameters,
        body: ref(TenantChangeRequest),
        response: { 200: ref(TenantRecord) },
      },
    },
    (request) => app.management.tenants.edit(actorOf(request), request.params.id, request.body),
  )
}

export default route
