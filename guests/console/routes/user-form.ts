import type { FastifyPluginAsync } from 'fastify'
import { actorOf } from '../../../lib/actor.js'
import { CompatNewUser, CompatUser, CompatUserChange, CompatUserQuery } from '../schemas/users.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('POST /system/user/add', {
    operationId: 'compatAddUser',
    config: { access: 'system:user:add', errors: ['too_many_requests'] },
    summary: 'Add a user',
    description: 'The same as `POST /system/user`.',
    body: ref(CompatNewUser),
    handler: (request) => app.compat.userForm.add(actorOf(request), request.body),
  })

  add('POST /system/user/getById', {
    operationId: 'compatGetUser',
    config: { access: 'system:user:view', errors: ['not_found'] },
    summary: 'A user, as a form edits it',
    description: 'The same as `GET /system/user/{id}`.',
    querystring: CompatUserQuery,
    answer: ref(CompatUser),
    handler: (request) => app.compat.userForm.get(actorOf(request), request.query.id),
  })

  add('POST /system/user/edit', {
    operationId: 'compatEditUser',
    config: {
      access: 'system:user:edit',
      errors: ['not_found', 'own_account', 'last_administrator'],
    },
    summary: 'Change a user by the whole record',
    description:
      'The same as `PATCH /system/user/{id}` with the fields that differ. Further fields, such as labels, are ignored.',
    body: ref(CompatUserChange),
    handler: (request) => app.compat.userForm.edit(actorOf(request), request.body),
  })
}

export default route
