import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { UserBatchOutcome, UserBatchRequest } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/batch',
    {
      config: { access: 'system:user:edit', errors: ['last_administrator'] },
      schema: {
        operationId: 'changeUsers',
        tags: ['users'],
        summary: 'Delete, disable, enable, unlock or invite many users, or give them a role, all or nothing',
        description:
          'Up to 1,000 users, and 100 to invite; the answer says how many of these are sent an invitation, and who is left out and why. Those who have a password are refused only if all of them have one. A violation `ids.N` names each user that cannot be changed. Deleting needs `system:user:delete`.',
        body: ref(UserBatchRequest),
        response: { 200: ref(UserBatchOutcome) },
      },
    },
    (request) => app.management.batch(actorOf(request), request.body),
  )
}

export default route
