import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { LoginLogPage, LoginLogQuery } from '../../../schemas/login-log.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'system:loginlog:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getLoginLogPage',
        tags: ['management'],
        summary: 'A page of the login log',
        description:
          'Attempts to sign in, latest first. A caller sees those of its own tenant, a system administrator all.',
        querystring: LoginLogQuery,
        response: { 200: ref(LoginLogPage) },
      },
    },
    (request) => app.loginLog.page(callerOf(request), request.query, () => request.signal),
  )
}

export default route
