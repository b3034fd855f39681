import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../lib/caller-of.js'
import { prepared } from '../../schemas/prepared.js'
import { UserInfo } from '../../schemas/user.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/userInfo',
    {
      config: { access: 'session', beforePasswordChange: true, tokens: true },
      schema: {
        operationId: 'getUserInfo',
        tags: ['auth'],
        summary: 'The signed-in user',
        description:
          'Profile, tenant, roles and permissions as they are now, and client, time and IP address of the sign-in. Served before a required password change, too.',
        response: { 200: prepared(UserInfo) },
      },
    },
    (request) => app.sessions.userInfo(callerOf(request)),
  )
}

export default route
