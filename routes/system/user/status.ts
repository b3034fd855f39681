import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { UserParameters } from '../../../schemas/managed-user.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  const actions = [
    ['disable', 'disableUser', 'Disable a user and end the sessions', ''],
    ['enable', 'enableUser', 'Let a disabled user sign in again', ''],
    [
      'unlock',
      'unlockUser',
      'Let a locked or banned user sign in again',
      'Ends the pauses after failed sign-ins and wrong codes, the status `locked`, and a ban. A disabled user stays disabled. ',
    ],
    [
      'invite',
      'inviteUser',
      'Send a user without a password an invitation',
      'The code is valid for 24 hours, for `POST /auth/password/reset`; earlier ones stay valid until their time is over. Within a minute of the last invitation nothing is sent. ',
    ],
  ] as const
  for (const [action, operationId, summary, description] of actions) {
    app.post(
      `/:id/${action}`,
      {
        config: {
          access: 'system:user:edit',
          errors: ['not_found', 'own_account', 'last_administrator'],
        },
        schema: {
          operationId,
          tags: ['users'],
          summary,
          description: `${description}Repeating the request changes nothing.`,
          params: UserParameters,
          response: { 200: Type.Null() },
        },
      },
      (request) => app.management.act(actorOf(request), request.params.id, action),
    )
  }
}

export default route
