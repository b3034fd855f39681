import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { SessionParameters } from '../../../schemas/session.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.delete(
    '/:id',
    {
      config: { access: 'system:session:delete', errors: ['not_found', 'own_account'] },
      schema: {
        operationId: 'endUserSession',
        tags: ['management'],
        summary: 'End a session of a user, with immediate effect',
        description: 'Own sessions are ended by `DELETE /auth/sessions/{id}`. Repeating the request changes nothing.',
        params: SessionParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.management.sessions.end(actorOf(request), request.params.id),
  )
}

export default route
