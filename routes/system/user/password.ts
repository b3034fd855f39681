import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { UserParameters, UserPasswordRequest } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:id/password',
    {
      config: { access: 'system:user:reset', errors: ['not_found', 'own_account'] },
      schema: {
        operationId: 'setUserPassword',
        tags: ['users'],
        summary: 'Set a password that must be changed at the next sign-in',
        description: 'Ends the sessions of the user.',
        params: UserParameters,
        body: ref(UserPasswordRequest),
        response: { 200: Type.Null() },
      },
    },
    (request) => {
      const { password, endTokens } = request.body
      return app.management.setPassword(actorOf(request), request.params.id, password, { endTokens })
    },
  )
}

export default route
