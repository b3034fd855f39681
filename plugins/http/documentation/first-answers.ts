import { firstAnswers, type FirstAnswer, type FirstAnswerName } from '../../../schemas/first-answers.js'
import { catalogue } from '../../../schemas/problems.js'

/** Ids of the operations whose example is refused so. */
export type OperationsByFirstAnswer = Partial<Record<FirstAnswerName, readonly string[]>>

/** Those of a sign-in are in the rows of the login methods. */
export const ofOperations: OperationsByFirstAnswer = {
  passwordsMissing: ['changePassword'],
  noMail: ['sendEmailCode'],
  noSms: ['sendSmsCode'],
  noChannel: ['sendContactCode', 'forgotPassword', 'resetPassword'],
  unknownProvider: ['getSocialAuthUrl'],
  noGrant: ['completeSocialSignIn', 'linkIdentity'],
  noIdentity: ['unlinkIdentity'],
  noFactor: ['removeFactor', 'renameFactor', 'newRecoveryCodes'],
  noEnrolment: ['confirmTotp', 'registerPasskey'],
  noApp: ['stepUp'],
  noTicket: ['sendSetupCode'],
  noDevice: ['forgetTrustedDevice'],
  closed: ['sendRegistrationCode', 'register'],
  noClient: ['introspectToken'],
  noIssuer: ['getServerMetadata'],
  noUser: [
    ...['getUser', 'changeUser', 'deleteUser', 'disableUser', 'enableUser', 'unlockUser', 'inviteUser'],
    'setUserPassword',
    'setUserRoles',
    'getUserFactors',
    'getUserIdentities',
    'removeUserIdentity',
    'resetUserFactors',
  ],
  noUsers: ['changeUsers'],
  noRole: ['getRole', 'changeRole', 'deleteRole'],
  noTenant: ['getTenant', 'changeTenant', 'getTenantMethods', 'setTenantMethods'],
  noSession: ['endSession', 'endUserSession'],
}

/** What the description of an example says about its answer. */
export const describeFirstAnswer = ({ reason, until }: FirstAnswer): string =>
  `The example answers ${catalogue[reason].status} \`${reason}\` until ${until}.`

/** Finds the sentence for an operation whose example a new installation refuses; undefined if it answers 200. */
export const createFirstAnswerOf = (operations: OperationsByFirstAnswer) => {
  const textOf = new Map(
    Object.entries(operations).flatMap(([name, operationIds]) =>
      operationIds.map(
        (operationId) => [operationId, describeFirstAnswer(firstAnswers[name as FirstAnswerName])] as const,
      ),
    ),
  )
  return (operationId: string | undefined): string | undefined => textOf.get(operationId ?? '')
}
