import { firstAnswers, type FirstAnswerName } from '../../../schemas/first-answers.js'
import { catalogue } from '../../../schemas/problems.js'

/** Those of a sign-in are in the rows of the login methods. */
const ofOperations: Partial<Record<FirstAnswerName, readonly string[]>> = {
  passwordsMissing: ['changePassword'],
  noMail: ['sendEmailCode'],
  noSms: ['sendSmsCode'],
  noChannel: ['sendContactCode', 'forgotPassword', 'resetPassword'],
  unknownProvider: ['getSocialAuthUrl'],
  noGrant: ['completeSocialSignIn', 'linkIdentity'],
  noIdentity: ['unlinkIdentity', 'compatUnlinkPlatform'],
  closed: ['sendRegistrationCode', 'register'],
  noClient: ['introspectToken'],
  noIssuer: ['getServerMetadata'],
  noUser: [
    ...['getUser', 'changeUser', 'deleteUser', 'disableUser', 'enableUser', 'unlockUser', 'setUserPassword'],
    ...['setUserRoles', 'compatBan', 'compatUnban', 'compatSetUserStatus', 'compatUntieUser', 'compatSetUserPassword'],
    ...['compatDeleteUser', 'compatGetUser', 'compatEditUser', 'compatGetOrgBindings', 'compatGetOrgRoles'],
    'compatSetOrgRoles',
  ],
  noUsers: ['changeUsers', 'compatDeleteUsers'],
  noRole: ['getRole', 'changeRole', 'deleteRole'],
  noTenant: ['getTenant', 'changeTenant'],
  noSession: ['endSession', 'endUserSession', 'compatKickOut'],
}

/** What the description of an example says about its answer. */
export const describeFirstAnswer = (name: FirstAnswerName): string => {
  const { reason, until } = firstAnswers[name]
  return `The example answers ${catalogue[reason].status} \`${reason}\` until ${until}.`
}

const textOf = new Map(
  Object.entries(ofOperations).flatMap(([name, operationIds]) =>
    operationIds.map((operationId) => [operationId, describeFirstAnswer(name as FirstAnswerName)] as const),
  ),
)

/** The sentence for an operation whose example a new installation refuses; undefined if it answers 200. */
export const firstAnswerOf = (operationId: string | undefined): string | undefined => textOf.get(operationId ?? '')
