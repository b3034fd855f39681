import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
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

const errors: Reason[] = ['not_found', 'own_account']

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/auth/online/page',
    {
      config: { access: 'system:session:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'compatGetOnlinePage',
        tags: ['compat'],
        summary: 'A page of the users who are signed in',
        description: 'The same as `GET /system/session/page`.',
        querystring: CompatOnlineQuery,
        response: { 200: ref(CompatOnlinePage) },
      },
    },
    (request) => app.compat.online.page(actorOf(request), request.query, () => request.signal),
  )

  app.post(
    '/auth/online/kickout',
    {
      config: { access: 'system:session:delete', errors },
      schema: {
        operationId: 'compatKickOut',
        tags: ['compat'],
        summary: 'End a session of a user, with immediate effect',
        description: 'The same as `DELETE /system/session/{id}`.',
        querystring: CompatKickOutQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.online.kickOut(actorOf(request), request.query.tokenValue),
  )

  app.post(
    '/auth/online/ban',
    {
      config: { access: 'system:session:delete', errors: [...errors, 'last_administrator'] },
      schema: {
        operationId: 'compatBan',
        tags: ['compat'],
        summary: 'End the sessions of a user, who cannot sign in for a time',
        description: 'A sign-in is then answered 403 `account_banned` with the time, and with `Retry-After`.',
        querystring: CompatBanQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.online.ban(actorOf(request), request.query),
  )

  app.post(
    '/auth/online/unban',
    {
      config: { access: 'system:session:delete', errors },
      schema: {
        operationId: 'compatUnban',
        tags: ['compat'],
        summary: 'Let a user sign in before the ban is over',
        description: 'Repeating the request changes nothing.',
        querystring: CompatUnbanQuery,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.online.unban(actorOf(request), request.query.userId),
  )
}

export default route
