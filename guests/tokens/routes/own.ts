import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import { ApiTokenList, MadeApiToken, NewApiToken, TokenParameters } from '../schemas.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/auth/tokens',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'getOwnTokens',
        tags: ['tokens'],
        summary: 'The API tokens of the caller',
        description:
          'Latest first, without those that have ended or expired. The tokens themselves are never shown again.',
        response: { 200: ref(ApiTokenList) },
      },
    },
    (request) => app.apiTokens.own.list(callerOf(request)),
  )

  app.post(
    '/auth/tokens',
    {
      config: {
        access: 'session',
        limit: 'signIn',
        errors: [
          'permission_denied',
          'step_up_required',
          'fresh_sign_in_required',
          'invalid_credentials',
          'too_many_attempts',
          'too_many_tokens',
        ],
      },
      schema: {
        operationId: 'addOwnToken',
        tags: ['tokens'],
        summary: 'Make an API token for the caller',
        description:
          'For scripts and other services, which send it as `Authorization: Bearer`. It may do what it was given and the caller may at that moment. Asks for what linking an identity asks for: a second step in the last ten minutes where the account has a second factor, else the password or a sign-in in the last ten minutes. An API token makes no other.',
        body: ref(NewApiToken),
        response: { 200: ref(MadeApiToken) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { password, ...wanted } = request.body
      await app.accounts.provePasswordOrFactor(caller, password, request.clientContext.address)
      return app.apiTokens.own.add(actorOf(request), caller, wanted)
    },
  )

  app.delete(
    '/auth/tokens/:id',
    {
      config: {
        access: 'session',
        errors: ['not_found'],
        firstAnswer: { reason: 'not_found', until: 'you have such an API token' },
      },
      schema: {
        operationId: 'endOwnToken',
        tags: ['tokens'],
        summary: 'End an API token of the caller, with immediate effect',
        params: TokenParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.apiTokens.own.end(actorOf(request), callerOf(request), request.params.id),
  )
}

export default route
