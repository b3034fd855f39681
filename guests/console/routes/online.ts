import type { FastifyPluginAsync } from 'fastify'
import { actorOf } from '../../../lib/actor.js'
import {
  CompatBanQuery,
  CompatKickOutQuery,
  CompatOnlinePage,
  CompatOnlineQuery,
  CompatUnbanQuery,
} from '../schemas/online.js'
import type { Reason } from '../../../schemas/problems.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const errors: Reason[] = ['not_found', 'own_account']

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('GET /auth/online/page', {
    operationId: 'compatGetOnlinePage',
    config: { access: 'system:session:list', errors: ['too_many_requests'] },
    summary: 'A page of the users who are signed in',
    description: 'The same as `GET /system/session/page`.',
    querystring: CompatOnlineQuery,
    answer: ref(CompatOnlinePage),
    handler: (request) => app.compat.online.page(actorOf(request), request.query, () => request.signal),
  })

  add('POST /auth/online/kickout', {
    operationId: 'compatKickOut',
    config: { access: 'system:session:delete', errors },
    summary: 'End a session of a user, with immediate effect',
    description: 'The same as `DELETE /system/session/{id}`.',
    querystring: CompatKickOutQuery,
    handler: (request) => app.compat.online.kickOut(actorOf(request), request.query.tokenValue),
  })

  add('POST /auth/online/ban', {
    operationId: 'compatBan',
    config: { access: 'system:session:delete', errors: [...errors, 'last_administrator'] },
    summary: 'End the sessions of a user, who cannot sign in for a time',
    description: 'A sign-in is then answered 403 `account_banned` with the time, and with `Retry-After`.',
    querystring: CompatBanQuery,
    handler: (request) => app.compat.online.ban(actorOf(request), request.query),
  })

  add('POST /auth/online/unban', {
    operationId: 'compatUnban',
    config: { access: 'system:session:delete', errors },
    summary: 'Let a user sign in before the ban is over',
    description: 'Repeating the request changes nothing.',
    querystring: CompatUnbanQuery,
    handler: (request) => app.compat.online.unban(actorOf(request), request.query.userId),
  })
}

export default route
