import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LoginResult } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/refreshToken',
    {
      config: {
        access: 'open',
        limit: 'refresh',
        errors: [
          'token_missing',
          'token_invalid',
          'session_replaced',
          'session_revoked',
          'session_expired',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'refreshToken',
        tags: ['auth'],
        summary: 'Exchange the access token for a new one',
        description:
          'Takes the current access token in the Authorization header, also an expired one while its session lives. The old token works for 10 s after the new one is first used; used later it ends the session.',
        security: [{ bearer: [] }],
        response: { 200: ref(LoginResult) },
      },
    },
    (request) =>
      app.attempts.guardToken(request.origin.address, () => app.sessions.refresh(request.headers.authorization)),
  )
}

export default route
