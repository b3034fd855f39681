import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { ResetFactorsQuery, UserFactors } from '../../../schemas/factors.js'
import { UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id/factors',
    {
      config: { access: 'system:user:view', errors: ['not_found'] },
      schema: {
        operationId: 'getUserFactors',
        tags: ['users'],
        summary: 'The second factors of a user',
        description:
          'With what is required of the account, and the browsers that skip the second step. Network addresses need the permission `system:user:contact`.',
        params: UserParameters,
        response: { 200: ref(UserFactors) },
      },
    },
    (request) => app.management.factors.get(actorOf(request), request.params.id),
  )

  app.delete(
    '/:id/factors',
    {
      config: {
        access: 'system:user:reset',
        errors: ['not_found', 'own_account', 'last_administrator'],
      },
      schema: {
        operationId: 'resetUserFactors',
        tags: ['users'],
        summary: 'Remove the second factors of a user who has lost them',
        description:
          'Ends the sessions of the user; recovery codes are void and no browser is trusted any more. The user gets a notice by mail, and no new days without a required factor. A caller who has a factor must have proved it in the session within ten minutes (`POST /auth/stepUp`). Repeating the request changes nothing.',
        params: UserParameters,
        querystring: ResetFactorsQuery,
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      const { params, query } = request
      await app.management.factors.reset(actorOf(request), params.id, query.kinds && [query.kinds])
    },
  )
}

export default route
