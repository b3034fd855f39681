import { catalogue, type Reason } from '../../../schemas/problems.js'

/** Why an example is refused on a new installation, and until when. */
interface FirstAnswer {
  reason: Reason
  until: string
}

export const firstAnswers = {
  passwordMissing: { reason: 'invalid_request', until: 'you fill in the password' },
  passwordsMissing: { reason: 'invalid_request', until: 'you fill in the two passwords' },
  noMail: { reason: 'unsupported_auth_type', until: '`SMTP_URL` is set' },
  noSms: { reason: 'unsupported_auth_type', until: 'the setting `sms.sender` names a sender' },
  noChannel: { reason: 'unsupported_auth_type', until: '`SMTP_URL` or the setting `sms.sender` is set' },
  noProvider: {
    reason: 'unsupported_auth_type',
    until: 'the setting `federation.providers` names an identity provider',
  },
  unknownProvider: {
    reason: 'invalid_request',
    until: 'the setting `federation.providers` names this identity provider',
  },
  noGrant: { reason: 'invalid_grant', until: 'the values are those of a sign-in at an identity provider' },
  noIdentity: { reason: 'not_found', until: 'you have such a linked identity' },
  closed: { reason: 'registration_closed', until: 'the setting `registration.mode` is `open`' },
  noClient: { reason: 'invalid_client', until: 'the setting `introspection.clients` names your service' },
  noIssuer: { reason: 'not_found', until: 'the setting `issuer` is a URL' },
  noUser: { reason: 'not_found', until: 'there is a user of this id: `POST /system/user` adds one' },
  noUsers: { reason: 'invalid_request', until: 'there are users of these ids: `POST /system/user` adds one' },
  noRole: { reason: 'not_found', until: 'there is a role of this key: `POST /system/role` adds one' },
  noTenant: { reason: 'not_found', until: 'there is a tenant of this id: `POST /system/tenant` adds one' },
  noSession: { reason: 'not_found', until: 'the id is that of a live session' },
} as const satisfies Record<string, FirstAnswer>
export type FirstAnswerName = keyof typeof firstAnswers

/** Those of a sign-in are with their shapes: login-shapes.ts. */
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
