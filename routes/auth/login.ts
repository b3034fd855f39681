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
        refusesCrossSiteForms: true,
        errors: [
          'invalid_credentials',
          'invalid_code',
          'captcha_required',
          'invalid_grant',
          'unsupported_auth_type',
          'cross_site_form',
          'account_disabled',
          'tenant_disabled',
          'session_limit_reached',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Sign in',
        description:
          '`password` needs `username` and `password`; `password_captcha` also `code` and `codeKey`; `phone_captcha` `phone` and `code`; `email_captcha` `email` and `code`; `oauth2` `socialTicket`, or `authCode` and `state`; `social` `socialTicket`. After failed tries, and while many strangers sign in, `password` may ask for a captcha too (`captcha_required`). The answer sets a cookie whose name begins with `rollcall_device_`: on a device that brings it, or an earlier access token, along, strangers who fail do not lock the owner out. Form fields that a page of another site sends are refused.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(LoginRequest),
        response: { 200: ref(LoginResult) },
      },
    },
    async (request, reply) => {
      const result = await app.login.signIn(request.body, request.clientContext)
      reply.setDeviceCookie(result.userInfo)
      return result
    },
  )
}

export default route
