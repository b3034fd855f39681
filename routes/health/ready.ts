import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Readiness } from '../../schemas/health.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/ready',
    {
      config: { access: 'open' },
      schema: {
        operationId: 'getReadiness',
        tags: ['service'],
        summary: 'Whether the database can be read and written (a write is tested at most once in 5 s)',
        description:
          'For a load balancer. 503 while the database fails; with Redis, `redis` says whether that answers.',
        response: { 200: ref(Readiness) },
      },
    },
    () => app.readiness.check(),
  )
}

export default route
