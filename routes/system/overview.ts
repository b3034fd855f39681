import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../lib/actor.js'
import { Overview } from '../../schemas/overview.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/overview',
    {
      config: { access: 'session', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getOverview',
        tags: ['management'],
        summary: 'Counts for the first page of a console',
        description:
          'A field is absent without the permission that it needs. A system administrator gets the counts of all tenants, everybody else those of its own; they are at most 10 seconds old. Equal refusals count as often as they happened.',
        response: { 200: ref(Overview) },
      },
    },
    (request) => app.overview(actorOf(request)),
  )
}

export default route
