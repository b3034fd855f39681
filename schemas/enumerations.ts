import { Type, type IntegerOptions, type StringOptions } from '@sinclair/typebox'
import { catalogue, type ProblemText } from './problems.js'
import { safe } from './ref.js'

export const userTypes = { systemAdmin: 0, tenantAdmin: 1, user: 2, service: 3 } as const
export const userStatuses = { disabled: 0, normal: 1, locked: 2 } as const
export const genders = { unknown: 0, male: 1, female: 2 } as const

/** The values of a field, as a component of the OpenAPI document. */
export interface Enumeration {
  type: 'integer' | 'string'
  description: string
  /** Each value with its meaning, and a name if it is a number. */
  values: { value: number | string; meaning: string; name?: string }[]
}

export const numbers = <Name extends string>(
  description: string,
  values: Record<Name, number>,
  meanings: Record<Name, string>,
): Enumeration => ({
  type: 'integer',
  description,
  values: Object.entries<number>(values).map(([name, value]) => ({ value, name, meaning: meanings[name as Name] })),
})

export const words = (description: string, meanings: Record<string, string>): Enumeration => ({
  type: 'string',
  description,
  values: Object.entries(meanings).map(([value, meaning]) => ({ value, meaning })),
})

const reasonMeanings = (problems: Readonly<Record<string, ProblemText>>) =>
  Object.fromEntries(Object.entries(problems).map(([reason, { status, en }]) => [reason, `${status}, ${en}`]))

const UserStatus = numbers('Whether a user may sign in', userStatuses, {
  disabled: 'an administrator has disabled the account',
  normal: 'may sign in',
  locked: 'an administrator has locked the account',
})
const UserType = numbers('Rank of a user', userTypes, {
  systemAdmin: 'administrator of all tenants',
  tenantAdmin: 'administrator of its own tenant',
  user: 'no administrator',
  service: 'service account, which signs in by API tokens only; its rank is that of a user',
})
const Gender = numbers('Gender of a user', genders, { unknown: 'not given', male: 'male', female: 'female' })
const Reason = words('Why a request was refused: by this word clients decide what to do', reasonMeanings(catalogue))
const CaptchaType = words('Kind of captcha', {
  graphical: 'a picture of letters and digits',
  pow: 'a computation of the browser, by the altcha widget',
})
const SendStatus = words('Whether a one-time code was sent', {
  success: 'sent, if there is an account with this number or address',
  fail: 'requested too soon',
})
const RedisStatus = words('Whether Redis answers', { ok: 'it answers', unavailable: 'it does not answer' })
const AuditSource = words('How a change was made', { api: 'by a request', 'command line': 'by a command' })
const BatchAction = words('What to do with users', {
  delete: 'delete them',
  disable: 'disable them and end their sessions',
  enable: 'enable them',
  unlock: 'lift the pauses after failed sign-ins',
  invite: 'send them an invitation',
  addRole: 'give them the role `roleKey`, beside those that they have',
})

/** What the rows of guests in the audit trail say was done: each declares its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface GuestAuditActions {}

/** What a row of the audit trail says was done. */
export const auditActionMeanings = {
  'user.add': 'a user was added',
  'user.taken': 'somebody who does not see contacts was told that a user has one',
  'user.edit': 'fields of a user were changed',
  'user.delete': 'a user was deleted',
  'user.password': 'a password was set',
  'user.disable': 'a user was disabled',
  'user.enable': 'a user was enabled',
  'user.unlock': 'the pause after failed sign-ins was lifted',
  'user.invite': 'an invitation was sent',
  'user.roles': 'the roles of a user were changed',
  'user.ban': 'a user was banned for a time',
  'user.unban': 'a ban was lifted',
  'user.register': 'somebody registered',
  'user.profile': 'a user changed its own profile',
  'user.contact': 'a user changed its own phone number or e-mail address',
  'user.verify': 'a phone number or e-mail address was verified',
  'user.reset': 'a forgotten password was set anew',
  'user.factor': 'a second factor was added, renamed or removed by its owner',
  'user.passkey': 'a passkey was refused, because its counter did not grow and it may have been copied',
  'user.recovery': 'new recovery codes were made',
  'user.factors': 'the second factors of a user were removed by an administrator',
  'user.exempt': 'a user was exempted from required factors, or no longer is',
  'user.import': 'a file of users was imported',
  'user.export': 'the user list was exported',
  'identity.link': 'an identity was linked',
  'identity.unlink': 'an identity was unlinked',
  'role.add': 'a role was added',
  'role.edit': 'a role was changed',
  'role.delete': 'a role was deleted',
  'tenant.add': 'a tenant was added',
  'tenant.edit': 'a tenant was changed',
  'tenant.enable': 'a tenant was enabled',
  'tenant.disable': 'a tenant was disabled',
  'tenant.methods': 'the sign-in methods of a tenant were changed',
  'session.end': 'a session was ended',
  'key.rotate': 'the signing key was rotated',
  'key.revoke': 'a signing key was revoked',
  'key.rewrap': 'the master secret was changed',
} as const

/** Kinds of clients of a new installation. The configuration may name others. */
export const userClientMeanings: Record<string, string> = {
  pc: 'browser on a computer',
  app: 'app on a phone or tablet',
  h5: 'web page on a phone',
  wechat: 'mini-program of WeChat',
}

export const enumerations = {
  Reason,
  UserStatus,
  UserType,
  Gender,
  CaptchaType,
  SendStatus,
  RedisStatus,
  AuditSource,
  AuditAction: words('What was done', auditActionMeanings),
  BatchAction,
  ContactKind: words('Kind of contact', { email: 'e-mail address', phone: 'phone number' }),
  FactorKind: words('Kind of second factor', { totp: 'authenticator app', passkey: 'passkey' }),
  RegistrationMode: words('Whether strangers may add an account', {
    closed: 'nobody may',
    open: 'everybody may who proves a contact',
  }),
  PageSessionState: words('Whether the browser has the page cookie of the session, and if not, why', {
    kept: 'it has',
    address:
      'the page does not count as one of the service: its origin is neither that of `publicUrl` nor the `Host` of the request',
    encryption:
      'the page is not encrypted, but the service takes it for one by https, whose cookies the browser does not keep',
    cookie: 'the browser, or something on the way, keeps the cookie back',
  }),
  OverviewGap: words('What a new installation has to get', {
    ownPassword: 'another password of the first administrator than that of the first start',
    publicUrl: 'the setting',
    mail: 'a mail server that takes messages',
    sms: 'a sender of text messages that takes them, where one is configured',
    phoneRegion: 'the setting, in `config.json`',
    administratorFactor: 'a second factor for each system administrator',
    backup:
      '`rollcall backup` within the last 8 days; nothing is said of it where the database is PostgreSQL, whose own programs make backups',
  }),
  DeliveryWay: words('How a message is sent', { mail: 'by mail', sms: 'by text message' }),
  DeliveryFault: words('Why a message could not be delivered', {
    noConnection: 'no connection to the server, or none that is encrypted as it should be',
    timeout: 'no answer in time',
    signIn: 'the server refuses the name or the password',
    refused: 'the server refuses the message',
    other: 'the log says more',
  }),
  YesOrNo: words('Whether something holds', { true: 'yes', false: 'no' }),
  ExportFormat: words('Kind of file', { csv: 'CSV, UTF-8', xlsx: 'a workbook' }),
  FactorPolicy: words('What holds for the account, by the setting, its tenant and its roles', {
    off: 'no new factor is offered',
    optional: 'it may have a second factor',
    required: 'it must have a second factor',
  }),
} as const satisfies Record<string, Enumeration>

/** Adds the reasons of a guest, with their meanings. */
export const addReasons = (problems: Record<string, ProblemText>): void => {
  enumerations.Reason.values.push(...words('', reasonMeanings(problems)).values)
}

/** Adds what the rows of a guest in the audit trail say was done. */
export const addAuditActions = (meanings: Record<string, string>): void => {
  enumerations.AuditAction.values.push(...words('', meanings).values)
}

/** Names of all enumerations. The values of the last two depend on the login methods and on the configuration. */
export type EnumerationName = keyof typeof enumerations | 'AuthType' | 'UserClient'

/**
 * A field whose values are an enumeration of the document, which `title` names. The values are not checked here: a filter by
 * an unknown value finds nothing, and a request with other bounds states them itself.
 */
export const enumerated = (title: EnumerationName, options: IntegerOptions = {}) =>
  Type.Integer({ ...safe, ...options, title })
export const enumeratedWord = <T extends string = string>(title: EnumerationName, options: StringOptions = {}) =>
  Type.Unsafe<T>(Type.String({ ...options, title }))
