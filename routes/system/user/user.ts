import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { clearingRule, IfMatch, UserChangeRequest, UserDetail, UserParameters } from '../../../schemas/managed-user.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id',
    {
      config: { access: 'system:user:view', errors: ['not_found'], answerHeaders: ['ETag'] },
      schema: {
        operationId: 'getUser',
        tags: ['users'],
        summary: 'One user',
        description:
          'Phone and e-mail are masked without the permission `system:user:contact`. The header `ETag` of the response is the version of the user for `If-Match`.',
        params: UserParameters,
        response: { 200: ref(UserDetail) },
      },
    },
    async (request, reply) => {
      const user = await app.management.get(actorOf(request), request.params.id)
      reply.header('etag', `"${user.updateTime}"`)
      return user
    },
  )

  app.patch(
    '/:id',
    {
      config: {
        access: 'system:user:edit',
        errors: ['not_found', 'own_account', 'changed_meanwhile', 'last_administrator'],
        answerHeaders: ['ETag'],
      },
      schema: {
        operationId: 'changeUser',
        tags: ['users'],
        summary: 'Change a user',
        description:
          clearingRule +
          ' With the header `If-Match` and the `updateTime` that was read, it answers 412 when somebody else was faster. Phone and e-mail need the permission `system:user:contact`.',
        params: UserParameters,
        headers: IfMatch,
        body: ref(UserChangeRequest),
        response: { 200: ref(UserDetail) },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const user = await app.management.edit(actorOf(request), params.id, body, headers['if-match'])
      reply.header('etag', `"${user.updateTime}"`)
      return user
    },
  )

  app.delete(
    '/:id',
    {
      config: {
        access: 'system:user:delete',
        errors: ['not_found', 'own_account', 'last_administrator'],
      },
      schema: {
        operationId: 'deleteUser',
        tags: ['users'],
        summary: 'Delete a user',
        description: 'Ends the sessions and frees the name and contacts. Repeating the request changes nothing.',
        params: UserParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.management.act(actorOf(request), request.params.id, 'delete'),
  )
}

export default route
