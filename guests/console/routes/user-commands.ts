import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { CompatIds, CompatPasswordQuery, CompatStatusQuery, CompatUserQuery } from '../schemas/users.js'
import type { Reason } from '../../../schemas/problems.js'
import { ref } from '../../../schemas/ref.js'

const errors: Reason[] = ['not_found', 'own_account', 'last_administrator']

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/system/user/updateStatus',
    {
      config: { access: 'system:user:edit', errors },
      schema: {
        operationId: 'compatSetUserStatus',
        tags: ['compat'],
        summary: 'Disable or enable a user',
        description: 'The same as `POST /system/user/{id}/disable` and `/enable`.',
        querystring: CompatStatusQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userCommands.setStatus(actorOf(request), request.query.id, request.query.status),
  )

  app.post(
    '/system/user/doUntieDisable',
    {
      config: { access: 'system:user:edit', errors },
      schema: {
        operationId: 'compatUntieUser',
        tags: ['compat'],
        summary: 'Enable a user, and end the pause after failed sign-ins and a ban',
        description: 'The same as `POST /system/user/{id}/enable` and `/unlock`.',
        querystring: CompatUserQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userCommands.untieDisable(actorOf(request), request.query.id),
  )

  app.post(
    '/system/user/resetPwd',
    {
      config: { access: 'system:user:reset', errors },
      schema: {
        operationId: 'compatSetUserPassword',
        tags: ['compat'],
        summary: 'Set a password that must be changed at the next sign-in',
        description: 'The same as `POST /system/user/{id}/password`.',
        querystring: CompatPasswordQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userCommands.setPassword(actorOf(request), request.query.id, request.query.password),
  )

  app.post(
    '/system/user/remove',
    {
      config: { access: 'system:user:delete', errors },
      schema: {
        operationId: 'compatDeleteUser',
        tags: ['compat'],
        summary: 'Delete a user',
        description: 'The same as `DELETE /system/user/{id}`.',
        querystring: CompatUserQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userCommands.remove(actorOf(request), request.query.id),
  )

  app.post(
    '/system/user/removeBatch',
    {
      config: { access: 'system:user:delete', errors: ['last_administrator'] },
      schema: {
        operationId: 'compatDeleteUsers',
        tags: ['compat'],
        summary: 'Delete up to 1,000 users, all or nothing',
        description: 'The same as `POST /system/user/batch`, which names each user that cannot be deleted.',
        body: ref(CompatIds),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userCommands.removeMany(actorOf(request), request.body),
  )
}

export default route
