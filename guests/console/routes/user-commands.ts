import type { FastifyPluginAsync } from 'fastify'
import { actorOf } from '../../../lib/actor.js'
import { CompatIds, CompatPasswordQuery, CompatStatusQuery, CompatUserQuery } from '../schemas/users.js'
import type { Reason } from '../../../schemas/problems.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const errors: Reason[] = ['not_found', 'own_account', 'last_administrator']

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('POST /system/user/updateStatus', {
    operationId: 'compatSetUserStatus',
    config: { access: 'system:user:edit', errors },
    summary: 'Disable or enable a user',
    description: 'The same as `POST /system/user/{id}/disable` and `/enable`.',
    querystring: CompatStatusQuery,
    handler: (request) => app.compat.userCommands.setStatus(actorOf(request), request.query.id, request.query.status),
  })

  add('POST /system/user/doUntieDisable', {
    operationId: 'compatUntieUser',
    config: { access: 'system:user:edit', errors },
    summary: 'Enable a user, and end the pause after failed sign-ins and a ban',
    description: 'The same as `POST /system/user/{id}/enable` and `/unlock`.',
    querystring: CompatUserQuery,
    handler: (request) => app.compat.userCommands.untieDisable(actorOf(request), request.query.id),
  })

  add('POST /system/user/resetPwd', {
    operationId: 'compatSetUserPassword',
    config: { access: 'system:user:reset', errors },
    summary: 'Set a password that must be changed at the next sign-in',
    description: 'The same as `POST /system/user/{id}/password`.',
    querystring: CompatPasswordQuery,
    handler: (request) =>
      app.compat.userCommands.setPassword(actorOf(request), request.query.id, request.query.password),
  })

  add('POST /system/user/remove', {
    operationId: 'compatDeleteUser',
    config: { access: 'system:user:delete', errors },
    summary: 'Delete a user',
    description: 'The same as `DELETE /system/user/{id}`.',
    querystring: CompatUserQuery,
    handler: (request) => app.compat.userCommands.remove(actorOf(request), request.query.id),
  })

  add('POST /system/user/removeBatch', {
    operationId: 'compatDeleteUsers',
    config: { access: 'system:user:delete', errors: ['last_administrator'] },
    summary: 'Delete up to 1,000 users, all or nothing',
    description: 'The same as `POST /system/user/batch`, which names each user that cannot be deleted.',
    body: ref(CompatIds),
    handler: (request) => app.compat.userCommands.removeMany(actorOf(request), request.body),
  })
}

export default route
