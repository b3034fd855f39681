import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { TenantPage, TenantQuery } from '../../../schemas/tenant.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'system:tenant:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getTenantPage',
        tags: ['management'],
        summary: 'A page of tenants',
        description: 'Oldest first. A system administrator sees all tenants, everybody else its own.',
        querystring: TenantQuery,
        response: { 200: ref(TenantPage) },
      },
    },
    (request) => app.management.tenants.page(actorOf(request), request.query, () => request.signal),
  )
}

export default route
