import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChangePasswordRequest } from '../../schemas/login.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/changePassword',
    {
      config: {
        access: 'session',
        limit: 'signIn',
        queryAsBody: true,
        errors: ['invalid_credentials', 'too_many_attempts'],
      },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change the own password',
        description: 'Every other session of the user ends.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(ChangePasswordRequest),
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      await app.accounts.changePassword(request.caller, request.body, request.origin.address)
      return null
    },
  )
}

export default route
