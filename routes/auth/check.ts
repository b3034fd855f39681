import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../lib/caller-of.js'
import { covers, isPermission } from '../../lib/permissions.js'
import { problem } from '../../lib/problem.js'
import { TokenCheckQuery } from '../../schemas/resource-servers.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/check',
    {
      config: {
        access: 'session',
        tokens: true,
        errors: ['permission_denied'],
        answerHeaders: ['X-User-Id', 'X-Tenant-Id'],
      },
      schema: {
        operationId: 'checkToken',
        tags: ['service'],
        summary: 'Check the token of a request, for reverse proxies',
        description:
          'Answers 200 if the token is accepted now and the user has the permission, else 401 or 403. The headers `X-User-Id` and `X-Tenant-Id` name the user.',
        querystring: TokenCheckQuery,
        response: { 200: Type.Null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { permission } = request.query
      if (isPermission(permission) && !caller.grants.permissions.some(covers(permission)))
        throw problem('permission_denied')
      void reply.headers({ 'x-user-id': caller.user.id, 'x-tenant-id': caller.tenant.id })
    },
  )
}

export default route
