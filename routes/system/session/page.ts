import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { SessionPage, SessionQuery } from '../../../schemas/managed-session.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'system:session:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getSessionPage',
        tags: ['management'],
        summary: 'A page of the live sessions of all users',
        description:
          'Latest sign-in first. A caller sees the sessions of its own tenant, a system administrator all. Access tokens are never shown.',
        querystring: SessionQuery,
        response: { 200: ref(SessionPage) },
      },
    },
    (request) => app.management.sessions.page(actorOf(request), request.query, () => request.signal),
  )
}

export default route
