import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import { SessionList, SessionParameters } from '../../../schemas/session.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'getSessions',
        tags: ['auth'],
        summary: 'Live sessions of the signed-in user',
        description: 'Each with its client, IP address and last activity. `current` marks the one of this request.',
        response: { 200: ref(SessionList) },
      },
    },
    (request) => app.sessions.own.list(callerOf(request)),
  )

  app.delete(
    '',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'endOtherSessions',
        tags: ['auth'],
        summary: 'End the other sessions of the signed-in user',
        description: 'Their tokens are refused from the next request on. The session of this request stays.',
        response: { 200: Type.Null() },
      },
    },
    (request) => app.sessions.own.endOthers(actorOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: { access: 'session', beforePasswordChange: true, errors: ['not_found'] },
      schema: {
        operationId: 'endSession',
        tags: ['auth'],
        summary: 'End one session of the signed-in user',
        description:
          'Its tokens are refused from the next request on. Sessions of others are answered like ids that do not exist.',
        params: SessionParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.sessions.own.end(actorOf(request), request.params.id),
  )
}

export default route
