import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isProblem } from '../../lib/problem.js'
import { LoginResult } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/refreshToken',
    {
      config: {
        access: 'open',
        limit: 'refresh',
        answerHeaders: ['Set-Cookie'],
        errors: [
          'token_missing',
          'token_invalid',
          'token_expired',
          'session_replaced',
          'session_revoked',
          'session_expired',
          'token_not_allowed',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'refreshToken',
        tags: ['auth'],
        summary: 'Exchange the access token for a new one',
        description:
          'Expects the current access token in the Authorization header; it may have expired, but its session must be live. The old token stays valid for 10 s after the first use of the new one, and for five minutes if the new one is not used. Using it later than 10 s after the first use of the new one ends the session. If the client sent the device cookie at the sign-in or at the first refresh, each refresh needs this cookie. Without a token a page of the same origin, by its page cookie and with a request of type `application/json`, gets the token that is current; a refusal of such a request clears the cookie.',
        security: [{ bearer: [] }],
        response: { 200: ref(LoginResult) },
      },
    },
    async (request, reply) => {
      const { clientContext, headers, pageCookie } = request
      const { address, devices } = clientContext
      const refresh = () =>
        pageCookie !== undefined
          ? app.sessions.pages.refresh(pageCookie, devices.idFor)
          : app.sessions.refresh(headers.authorization, devices.idFor)
      const result = await app.attempts.limitTokens(address, refresh).catch((error: unknown) => {
        if (isProblem(error) && error.statusCode === 401) reply.clearPageCookie()
        throw error
      })
      if (devices.isRenewalDue(result.userInfo)) reply.setDeviceCookie(result.userInfo)
      return result
    },
  )
}

export default route
