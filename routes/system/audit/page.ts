import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { AuditPage, AuditQuery } from '../../../schemas/audit.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'system:audit:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getAuditPage',
        tags: ['management'],
        summary: 'A page of the audit trail',
        description:
          'Changes by administrators, owners and commands, latest first. A caller sees the changes of its own tenant, a system administrator all.',
        querystring: AuditQuery,
        response: { 200: ref(AuditPage) },
      },
    },
    (request) => app.audit.page(callerOf(request), request.query, () => request.signal),
  )
}

export default route
