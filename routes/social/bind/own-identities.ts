import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import {
  LinkedIdentities,
  LinkedIdentity,
  LinkedIdentityParameters,
  LinkIdentityRequest,
} from '../../../schemas/social.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'getLinkedIdentities',
        tags: ['social'],
        summary: 'Linked identities of the caller',
        description:
          'Each with the name that the provider told and the time of the link. `DELETE /social/bind/{id}` removes one.',
        response: { 200: ref(LinkedIdentities) },
      },
    },
    (request) => app.linkedIdentities.list(callerOf(request)),
  )

  app.post(
    '',
    {
      config: {
        access: 'session',
        limit: 'signIn',
        errors: [
          'invalid_grant',
          'invalid_credentials',
          'fresh_sign_in_required',
          'step_up_required',
          'too_many_attempts',
        ],
      },
      schema: {
        operationId: 'linkIdentity',
        tags: ['social'],
        summary: 'Link an identity to the account of the caller',
        description:
          'The session must be the one whose token was sent with `GET /social/authUrl/{platform}`. The request needs the password, or must come within ten minutes after the sign-in of the session. The owner gets a notice by mail. An account has at most ten linked identities.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: ref(LinkIdentityRequest),
        response: { 200: ref(LinkedIdentity) },
      },
    },
    (request) => app.linkedIdentities.link(callerOf(request), request.body, request.clientContext),
  )

  app.delete(
    '/:id',
    {
      config: { access: 'session', errors: ['not_found', 'fresh_sign_in_required', 'step_up_required'] },
      schema: {
        operationId: 'unlinkIdentity',
        tags: ['social'],
        summary: 'Remove a linked identity of the caller',
        description:
          'Must come within ten minutes after the sign-in of the session or after `POST /auth/stepUp`; an account with a second factor must have proved one in that time. Ends the sessions that were started with this identity, except the session of the caller.',
        params: LinkedIdentityParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.linkedIdentities.unlink(callerOf(request), request.params.id, request.clientContext),
  )
}

export default route
