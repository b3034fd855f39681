import { type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { NewUserRequest, UserDetail } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '',
    {
      config: { access: 'system:user:add', errors: ['too_many_requests'] },
      schema: {
        operationId: 'addUser',
        tags: ['users'],
        summary: 'Add a user',
        description:
          'The password must be changed at the first sign-in, unless `forcePasswordChange` is false, which needs the permission `system:user:reset`, too. Without a password the user is sent an invitation: a code for `POST /auth/password/reset`, valid for 24 hours. Without the permission `system:user:contact` a caller is told 20 times an hour that another user has a phone number or an e-mail address, then 429.',
        body: ref(NewUserRequest),
        response: { 200: ref(UserDetail) },
      },
    },
    (request) => app.management.add(actorOf(request), request.body),
  )
}

export default route
