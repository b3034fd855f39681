import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { languageOf } from '../../../lib/language.js'
import { CompatMenu, CompatPlatformParameters, CompatPlatforms, CompatProfile } from '../schemas/self.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/auth/current/menu',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'compatGetMenu',
        tags: ['compat'],
        summary: 'The pages that the caller may open',
        description:
          'Only pages for which the caller has the permission; none while the session lacks a second factor that `secondFactor.administration` asks for.',
        response: { 200: ref(CompatMenu) },
      },
    },
    async (request) => app.compat.menuOf(callerOf(request), languageOf(request)),
  )

  app.post(
    '/system/user/updateProfile',
    {
      config: {
        access: 'session',
        administers: false,
        limit: 'signIn',
        errors: ['invalid_credentials', 'fresh_sign_in_required', 'step_up_required', 'too_many_attempts'],
      },
      schema: {
        operationId: 'compatChangeProfile',
        tags: ['compat'],
        summary: 'Change your own profile',
        description:
          'The same as `PATCH /auth/profile` with the fields that differ. A new phone number or e-mail address needs that request, because it needs a code.',
        body: ref(CompatProfile),
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.profile.save(callerOf(request), request.body, request.clientContext),
  )

  app.get(
    '/social/user/bindings',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'compatGetBindings',
        tags: ['compat'],
        summary: 'The identity providers, and which of them are linked to your account',
        description: 'Every configured provider, with `bound` for those that are linked.',
        response: { 200: ref(CompatPlatforms) },
      },
    },
    (request) => app.compat.identities.bindings(callerOf(request)),
  )

  app.delete(
    '/social/unbind/:platform',
    {
      config: { access: 'session', errors: ['not_found', 'fresh_sign_in_required', 'step_up_required'] },
      schema: {
        operationId: 'compatUnlinkPlatform',
        tags: ['compat'],
        summary: 'Remove your linked identities of a platform',
        description: 'The same as `DELETE /social/bind/{id}`.',
        params: CompatPlatformParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.compat.identities.unbind(callerOf(request), request.params.platform, request.clientContext),
  )
}

export default route
