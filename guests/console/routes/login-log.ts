import type { FastifyPluginAsync } from 'fastify'
import { callerOf } from '../../../lib/caller-of.js'
import { languageOf } from '../../../lib/language.js'
import { CompatLogin, CompatLoginPage, CompatLoginParameters, CompatLoginQuery } from '../schemas/online.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('GET /system/loginLog/page', {
    operationId: 'compatGetLoginLogPage',
    config: { access: 'system:loginlog:list', errors: ['too_many_requests'] },
    summary: 'A page of the login log',
    description: 'The same as `GET /system/login-log/page`.',
    querystring: CompatLoginQuery,
    answer: ref(CompatLoginPage),
    handler: (request) =>
      app.compat.loginLog.page(callerOf(request), request.query, languageOf(request), () => request.signal),
  })

  add('GET /system/loginLog/:id', {
    operationId: 'compatGetLogin',
    config: { access: 'system:loginlog:list', errors: ['not_found'] },
    summary: 'A row of the login log',
    params: CompatLoginParameters,
    answer: ref(CompatLogin),
    handler: (request) => app.compat.loginLog.get(callerOf(request), request.params.id, languageOf(request)),
  })
}

export default route
