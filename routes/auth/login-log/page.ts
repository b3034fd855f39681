import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { OwnLoginPage, OwnLoginQuery } from '../../../schemas/login-log.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'session', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getOwnLoginLogPage',
        tags: ['auth'],
        summary: 'A page of your own sign-ins',
        description:
          'Latest first. Refused tries are not listed: they are of a name that somebody typed, not of an account, and administrators see them in `GET /system/login-log/page`.',
        querystring: OwnLoginQuery,
        response: { 200: ref(OwnLoginPage) },
      },
    },
    (request) => app.loginLog.ownPage(callerOf(request), request.query, () => request.signal),
  )
}

export default route
