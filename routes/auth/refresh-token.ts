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
          'token_expired',
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
          'Takes the current access token in the Authorization header, also an expired one while its session lives. The old token works for 10 s after the new one is first used, and for five minutes while it is not; used after the 10 s it ends the session. A session that has brought its device cookie at the sign-in or at the first refresh is refreshed only with it.',
        security: [{ bearer: [] }],
        response: { 200: ref(LoginResult) },
      },
    },
    async (request, reply) => {
      const { clientContext, headers } = request
      const findDevice = (user: { userId: number; tenantId: number }) =>
        app.devices.idFor(clientContext.deviceHints.cookie, user)
      const result = await app.attempts.limitTokens(clientContext.address, () =>
        app.sessions.refresh(headers.authorization, findDevice),
      )
      if (app.devices.isRenewalDue(clientContext.deviceHints.cookie, result.userInfo))
        reply.setDeviceCookie(result.userInfo)
      return result
    },
  )
}

export default route
