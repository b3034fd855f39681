import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf } from '../../../lib/account-of.js'
import { callerOf } from '../../../lib/caller-of.js'
import {
  BeginTotpRequest,
  confirmErrors,
  ConfirmTotpRequest,
  EnrolledFactor,
  enrolErrors,
  Factor,
  FactorParameters,
  OwnFactors,
  RecoveryCodes,
  RenameFactorRequest,
  TotpEnrolment,
} from '../../../schemas/factors.js'
import type { Reason } from '../../../schemas/problems.js'
import { ref } from '../../../schemas/ref.js'

const changeErrors: Reason[] = ['not_found', 'step_up_required']

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'getFactors',
        tags: ['auth'],
        summary: 'Your second factors',
        description:
          'With what is required of the account, the recovery codes that are left, and the browsers that skip the second step.',
        response: { 200: ref(OwnFactors) },
      },
    },
    (request) => app.ownFactors.list(callerOf(request), request.clientContext),
  )

  app.post(
    '/totp',
    {
      config: { access: 'session', ticket: 'setup', limit: 'signIn', errors: enrolErrors },
      schema: {
        operationId: 'beginTotp',
        tags: ['auth'],
        summary: 'Begin to set up an authenticator app',
        description:
          'A secret for the app, as text and as a picture, for 15 minutes. An app that is in use stays as it is. The first factor needs a sign-in of the last ten minutes or the password, another one a factor that was proved in the session within ten minutes (`POST /auth/stepUp`).',
        body: ref(BeginTotpRequest),
        response: { 200: ref(TotpEnrolment) },
      },
    },
    (request) => app.ownFactors.enrol.begin(request.caller, request.body, request.clientContext),
  )

  app.post(
    '/totp/confirm',
    {
      config: {
        access: 'session',
        ticket: 'setup',
        limit: 'signIn',
        errors: confirmErrors,
        answerHeaders: ['Set-Cookie'],
      },
      schema: {
        operationId: 'confirmTotp',
        tags: ['auth'],
        summary: 'Set up an authenticator app by its first code',
        description:
          'A wrong code that is right at another time within ten minutes answers `clockOffset`: by so many seconds the clock of the device is ahead. The other sessions end, no browser is trusted any more, and the owner gets a notice by mail. With a ticket, `session` is the result of the sign-in.',
        body: ref(ConfirmTotpRequest),
        response: { 200: ref(EnrolledFactor) },
      },
    },
    async (request, reply) => {
      const { caller, body, clientContext } = request
      const page = request.keepsPage(body.cookie)
      const { enrolled, session } = await app.ownFactors.enrol.confirm(caller, body, clientContext, { page })
      if (session) await reply.setCookiesOf(session)
      else if (caller) reply.setDeviceCookie(accountOf(caller.user))
      return enrolled
    },
  )

  app.post(
    '/recovery-codes',
    {
      config: { access: 'session', limit: 'signIn', errors: changeErrors },
      schema: {
        operationId: 'newRecoveryCodes',
        tags: ['auth'],
        summary: 'Make ten new recovery codes',
        description: 'Those of before are void. Needs a factor that was proved in the session within ten minutes.',
        response: { 200: ref(RecoveryCodes) },
      },
    },
    async (request) => ({
      recoveryCodes: await app.ownFactors.newRecoveryCodes(callerOf(request), request.clientContext),
    }),
  )

  app.patch(
    '/:id',
    {
      config: { access: 'session', errors: changeErrors },
      schema: {
        operationId: 'renameFactor',
        tags: ['auth'],
        summary: 'Rename a second factor',
        description: 'Needs a factor that was proved in the session within ten minutes.',
        params: FactorParameters,
        body: ref(RenameFactorRequest),
        response: { 200: ref(Factor) },
      },
    },
    (request) => app.ownFactors.rename(callerOf(request), request.params.id, request.body.name, request.clientContext),
  )

  app.delete(
    '/:id',
    {
      config: { access: 'session', errors: [...changeErrors, 'factor_required_by_policy', 'last_sign_in_method'] },
      schema: {
        operationId: 'removeFactor',
        tags: ['auth'],
        summary: 'Remove a second factor',
        description:
          'Needs a factor that was proved in the session within ten minutes. With the last one the recovery codes go. The other sessions end.',
        params: FactorParameters,
        response: { 200: Type.Null() },
      },
    },
    (request) => app.ownFactors.remove(callerOf(request), request.params.id, request.clientContext),
  )
}

export default route
