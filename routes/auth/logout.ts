import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/logout',
    {
      config: { access: 'open', limit: 'refresh', errors: ['token_not_allowed'], answerHeaders: ['Set-Cookie'] },
      schema: {
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Sign out',
        description:
          'Ends the session of the token. Succeeds even if there is no session to end. Without a token a page of the same origin ends the session of its page cookie, with a request of type `application/json`.',
        security: [{ bearer: [] }, {}],
        response: { 200: Type.Null() },
      },
    },
    async (request, reply) => {
      const { headers, pageCookie } = request
      if (pageCookie !== undefined) {
        await app.sessions.pages.logout(pageCookie)
        reply.clearPageCookie()
        return
      }
      const ended = await app.sessions.logout(headers.authorization)
      if (ended !== undefined) reply.clearPageCookieOf(ended)
    },
  )
}

export default route
