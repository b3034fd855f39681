import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { ref } from '../../../schemas/ref.js'
import { TenantMethodList, TenantParameters } from '../../../schemas/tenant.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id/methods',
    {
      config: { access: 'system:tenant:edit', errors: ['not_found'] },
      schema: {
        operationId: 'getTenantMethods',
        tags: ['management'],
        summary: 'The sign-in methods of a tenant',
        description: 'Only for system administrators. Those that are configured, enabled or not.',
        params: TenantParameters,
        response: { 200: ref(TenantMethodList) },
      },
    },
    (request) => app.management.methods.get(actorOf(request), request.params.id),
  )

  app.put(
    '/:id/methods',
    {
      config: { access: 'system:tenant:edit', errors: ['not_found', 'last_administrator'] },
      schema: {
        operationId: 'setTenantMethods',
        tags: ['management'],
        summary: 'Enable and disable sign-in methods of a tenant',
        description:
          'Only for system administrators. Methods that are not named stay as they are. One stays enabled, and one by which the last administrator can sign in. Sessions go on.',
        params: TenantParameters,
        body: ref(TenantMethodList),
        response: { 200: ref(TenantMethodList) },
      },
    },
    (request) => app.management.methods.set(actorOf(request), request.params.id, request.body),
  )
}

export default route
