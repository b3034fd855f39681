import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { languageOf } from '../../../lib/language.js'
import { CompatLogin, CompatLoginPage, CompatLoginParameters, CompatLoginQuery } from '../schemas/online.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/system/loginLog/page',
    {
      config: { access: 'system:loginlog:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'compatGetLoginLogPage',
        tags: ['compat'],
        summary: 'A page of the login log',
        description: 'The same as `GET /system/login-log/page`.',
        querystring: CompatLoginQuery,
        response: { 200: ref(CompatLoginPage) },
      },
    },
    (request) => app.compat.loginLog.page(callerOf(request), request.query, languageOf(request), () => request.signal),
  )

  app.get(
    '/system/loginLog/:id',
    {
      config: { access: 'system:loginlog:list', errors: ['not_found'] },
      schema: {
        operationId: 'compatGetLogin',
        tags: ['compat'],
        summary: 'A row of the login log',
        params: CompatLoginParameters,
        response: { 200: ref(CompatLogin) },
      },
    },
    (request) => app.compat.loginLog.get(callerOf(request), request.params.id, languageOf(request)),
  )
}

export default route
