import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LoginRequest, LoginResult } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/login',
    {
      config: {
        access: 'open',
        limit: 'signIn',
        answerHeaders: ['Set-Cookie'],
        refusesCrossSiteForms: true,
        errors: [
          'invalid_credentials',
          'invalid_code',
          'captcha_required',
          'invalid_grant',
          'unknown_credential',
          'unsupported_auth_type',
          'cross_site_form',
          'account_disabled',
          'account_banned',
          'tenant_disabled',
          'session_limit_reached',
          'second_factor_required',
          'second_factor_setup_required',
          'totp_blocked',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Sign in',
        description:
          'The body has a shape for each `authType`, which says what it requires. After failed tries, and while many unknown clients sign in, `password` may require a captcha too (`captcha_required`). The response sets a cookie whose name begins with `rollcall_device_`, over https with `__Host-rollcall_device_`, but for a form of another origin that is not in `CORS_ORIGINS`. A client that sends this cookie or an earlier access token is not locked out by failed tries of others. Forms of other websites are refused.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(LoginRequest),
        response: { 200: ref(LoginResult) },
      },
    },
    async (request, reply) => {
      const page = request.keepsPage(request.body.cookie)
      const session = app.entry.sessionOf(await app.entry.signIn(request.body, request.clientContext, { page }))
      await reply.setCookiesOf(session)
      return session.result
    },
  )
}

export default route
