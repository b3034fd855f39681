import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import { ApplicationGrantList, ClientParameters } from '../schemas.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  const { grants } = app.applications
  app.get(
    '/auth/grants',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'getGrants',
        tags: ['applications'],
        summary: 'The applications that know the caller',
        description:
          'Those that the caller has allowed to, and those that the caller has signed in to in a session that lives.',
        response: { 200: ref(ApplicationGrantList) },
      },
    },
    (request) => grants.ofUser(callerOf(request).user.id),
  )

  app.delete(
    '/auth/grants/:id',
    {
      config: {
        access: 'session',
        errors: ['not_found'],
        firstAnswer: { reason: 'not_found', until: 'you have signed in to such an application' },
      },
      schema: {
        operationId: 'endGrant',
        tags: ['applications'],
        summary: 'End what an application has of the caller',
        description: 'Its tokens end at once. At the next sign-in there it asks again.',
        params: ClientParameters,
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      await grants.end(actorOf(request), callerOf(request).user, request.params.id)
      return null
    },
  )
}

export default route
