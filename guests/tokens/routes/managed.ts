import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { firstAnswers } from '../../../schemas/first-answers.js'
import { ref } from '../../../schemas/ref.js'
import {
  ApiTokenList,
  ApiTokenPage,
  ApiTokenQuery,
  MadeApiToken,
  NewApiToken,
  OwnedTokenParameters,
  OwnerParameters,
} from '../schemas.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/system/token/page',
    {
      config: { access: 'system:token:list', errors: ['too_many_requests'] },
      schema: {
        operationId: 'getTokenPage',
        tags: ['tokens'],
        summary: 'A page of the API tokens of all users',
        description:
          'Latest first, without those that have ended or expired. A caller sees the tokens of its own tenant, a system administrator all.',
        querystring: ApiTokenQuery,
        response: { 200: ref(ApiTokenPage) },
      },
    },
    (request) => app.apiTokens.page(actorOf(request), request.query, () => request.signal),
  )

  app.get(
    '/system/user/:id/tokens',
    {
      config: { access: 'system:token:list', errors: ['not_found'], firstAnswer: firstAnswers.noUser },
      schema: {
        operationId: 'getUserTokens',
        tags: ['tokens'],
        summary: 'The API tokens of a user',
        params: OwnerParameters,
        response: { 200: ref(ApiTokenList) },
      },
    },
    (request) => app.apiTokens.ofUser(actorOf(request), request.params.id),
  )

  app.post(
    '/system/user/:id/tokens',
    {
      config: {
        access: 'system:token:add',
        tokens: false,
        limit: 'signIn',
        firstAnswer: firstAnswers.noUser,
        errors: [
          ...(['not_found', 'own_account', 'step_up_required', 'fresh_sign_in_required'] as const),
          ...(['invalid_credentials', 'too_many_attempts', 'too_many_tokens'] as const),
        ],
      },
      schema: {
        operationId: 'addUserToken',
        tags: ['tokens'],
        summary: 'Make an API token for a service account',
        description:
          'The caller must be allowed to change the account, and prove to be the person as for an own token; people make their tokens themselves. An API token makes no other.',
        params: OwnerParameters,
        body: ref(NewApiToken),
        response: { 200: ref(MadeApiToken) },
      },
    },
    async (request) => {
      const { password, ...wanted } = request.body
      await app.accounts.provePasswordOrFactor(callerOf(request), password, request.clientContext.address)
      return app.apiTokens.addFor(actorOf(request), request.params.id, wanted)
    },
  )

  app.delete(
    '/system/user/:id/tokens/:tokenId',
    {
      config: {
        access: 'system:token:remove',
        errors: ['not_found', 'own_account'],
        firstAnswer: firstAnswers.noUser,
      },
      schema: {
        operationId: 'endUserToken',
        tags: ['tokens'],
        summary: 'End an API token of a user, with immediate effect',
        params: OwnedTokenParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.apiTokens.endOf(actorOf(request), request.params.id, request.params.tokenId),
  )
}

export default route
