import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/logout',
    {
      config: { access: 'open', limit: 'refresh' },
      schema: {
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Sign out',
        description: 'Ends the session of the token. Succeeds even if there is no session to end.',
        security: [{ bearer: [] }, {}],
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      await app.sessions.logout(request.headers.authorization)
      return null
    },
  )
}

export default route
