import type { FastifyPluginAsync } from 'fastify'
import { callerOf } from '../../../lib/caller-of.js'
import { languageOf } from '../../../lib/language.js'
import { CompatMenu, CompatPlatformParameters, CompatPlatforms, CompatProfile } from '../schemas/self.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('GET /auth/current/menu', {
    operationId: 'compatGetMenu',
    config: { access: 'session', beforePasswordChange: true },
    summary: 'The pages that the caller may open',
    description:
      'Only pages for which the caller has the permission; none while the session lacks a second factor that `secondFactor.administration` asks for.',
    answer: ref(CompatMenu),
    handler: async (request) => app.compat.menuOf(callerOf(request), languageOf(request)),
  })

  add('POST /system/user/updateProfile', {
    operationId: 'compatChangeProfile',
    config: {
      access: 'session',
      administers: false,
      limit: 'signIn',
      errors: ['invalid_credentials', 'fresh_sign_in_required', 'step_up_required', 'too_many_attempts'],
    },
    summary: 'Change your own profile',
    description:
      'The same as `PATCH /auth/profile` with the fields that differ. A new phone number or e-mail address needs that request, because it needs a code.',
    body: ref(CompatProfile),
    handler: (request) => app.compat.profile.save(callerOf(request), request.body, request.clientContext),
  })

  add('GET /social/user/bindings', {
    operationId: 'compatGetBindings',
    config: { access: 'session', beforePasswordChange: true },
    summary: 'The identity providers, and which of them are linked to your account',
    description: 'Every configured provider, with `bound` for those that are linked.',
    answer: ref(CompatPlatforms),
    handler: (request) => app.compat.identities.bindings(callerOf(request)),
  })

  add('DELETE /social/unbind/:platform', {
    operationId: 'compatUnlinkPlatform',
    config: { access: 'session', errors: ['not_found', 'fresh_sign_in_required', 'step_up_required'] },
    summary: 'Remove your linked identities of a platform',
    description: 'The same as `DELETE /social/bind/{id}`.',
    params: CompatPlatformParameters,
    handler: (request) =>
      app.compat.identities.unbind(callerOf(request), request.params.platform, request.clientContext),
  })
}

export default route
