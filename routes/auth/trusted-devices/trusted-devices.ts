import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { TrustedDeviceParameters } from '../../../schemas/factors.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.delete(
    '',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'forgetTrustedDevices',
        tags: ['auth'],
        summary: 'Ask for the second step in all browsers again',
        description: 'Sessions stay. `GET /auth/factors` lists the browsers.',
        response: { 200: Type.Null() },
      },
    },
    (request) => app.ownFactors.forgetDevices(callerOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: { access: 'session', beforePasswordChange: true, errors: ['not_found'] },
      schema: {
        operationId: 'forgetTrustedDevice',
        tags: ['auth'],
        summary: 'Ask for the second step in one browser again',
        description: 'Sessions stay.',
        params: TrustedDeviceParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.ownFactors.forgetDevices(callerOf(request), request.params.id),
  )
}

export default route
