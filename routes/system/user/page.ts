import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { prepared } from '../../../schemas/prepared.js'
import { UserPage, UserQuery } from '../../../schemas/user.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/page',
    {
      config: { access: 'system:user:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getUserPage',
        tags: ['users'],
        summary: 'A page of users',
        description:
          'Users of the tenant of the caller; a system administrator sees all tenants. Phone and e-mail are masked; filtering or sorting by them requires the permission `system:user:contact`; without it, `search` looks at names only. Newest first unless sorted otherwise; equal rows are sorted by id.',
        querystring: UserQuery,
        response: { 200: prepared(UserPage) },
      },
    },
    (request) => app.userList.page(callerOf(request), request.query, () => request.signal),
  )
}

export default route
