import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { CompatNewUser, CompatUser, CompatUserChange, CompatUserQuery } from '../schemas/users.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/system/user/add',
    {
      config: { access: 'system:user:add', errors: ['too_many_requests'] },
      schema: {
        operationId: 'compatAddUser',
        tags: ['compat'],
        summary: 'Add a user',
        description: 'The same as `POST /system/user`.',
        body: ref(CompatNewUser),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userForm.add(actorOf(request), request.body),
  )

  app.post(
    '/system/user/getById',
    {
      config: { access: 'system:user:view', errors: ['not_found'] },
      schema: {
        operationId: 'compatGetUser',
        tags: ['compat'],
        summary: 'A user, as a form edits it',
        description: 'The same as `GET /system/user/{id}`.',
        querystring: CompatUserQuery,
        response: { 200: ref(CompatUser) },
      },
    },
    (request) => app.compat.userForm.get(actorOf(request), request.query.id),
  )

  app.post(
    '/system/user/edit',
    {
      config: {
        access: 'system:user:edit',
        errors: ['not_found', 'own_account', 'last_administrator'],
      },
      schema: {
        operationId: 'compatEditUser',
        tags: ['compat'],
        summary: 'Change a user by the whole record',
        description:
          'The same as `PATCH /system/user/{id}` with the fields that differ. Further fields, such as labels, are ignored.',
        body: ref(CompatUserChange),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.userForm.edit(actorOf(request), request.body),
  )
}

export default route
