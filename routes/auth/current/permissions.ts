import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import { Permissions } from '../../../schemas/user.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/permissions',
    {
      config: { access: 'session', beforePasswordChange: true, tokens: true },
      schema: {
        operationId: 'getCurrentPermissions',
        tags: ['auth'],
        summary: 'Permissions of the signed-in user',
        description: 'Those of all roles together, each once. `*:*:*` stands for all permissions.',
        response: { 200: ref(Permissions) },
      },
    },
    async (request) => callerOf(request).grants.permissions,
  )
}

export default route
