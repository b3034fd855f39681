import { Type, type Static, type StringOptions } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import {
  assertionExample,
  credential,
  LoginResult,
  passkeyCredential,
  pageCookieField,
  ticketExample,
} from './login.js'
import type { Reason } from './problems.js'
import { captchaFields, CodeSent } from './one-time-code.js'
import { int32, nameText, nullable, ref, time } from './ref.js'

const factorKind = (options: StringOptions) => enumeratedWord<'totp' | 'passkey'>('FactorKind', options)
const factorId = Type.String({ maxLength: 100, description: 'Id of the factor', examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] })
export const factorName = nameText('Name by which you tell it from others, 1 to 64 visible characters', {
  examples: ['My phone'],
})
/** A field of the requests that set up a factor. */
export const setupTicket = Type.Optional(
  credential('Ticket of the answer 403 `second_factor_setup_required`, in place of a session'),
)
export const accountPassword = Type.Optional(
  credential('Password of the account, for its first factor; not needed within ten minutes of the sign-in'),
)

/** Fields of the requests that set up a factor. */
export const contactProof = {
  contactCode: Type.Optional(
    credential('Code of `POST /auth/factors/setup-code`, with a ticket whose answer names a `contact`', '123456'),
  ),
  contactCodeKey: Type.Optional(credential('Its `codeKey`', 'one-time-code:m3Yk0d4xQkq1x2b3c4d5eg')),
}
export interface ContactProof {
  contactCode?: string
  contactCodeKey?: string
}

export const Factor = Type.Object(
  {
    id: factorId,
    kind: factorKind({ examples: ['totp'] }),
    name: factorName,
    backedUp: nullable(Type.Boolean(), { description: 'Whether a passkey is kept on several devices; null for apps' }),
    discoverable: nullable(Type.Boolean(), {
      description: 'Whether a passkey signs in without a user name; null for apps, and when the device did not say',
    }),
    secondOnly: Type.Boolean({ description: 'Whether it only serves as a second step', examples: [true] }),
    createTime: time('When it was set up'),
    lastUsedTime: nullable(time('When it was last used'), {}),
  },
  { $id: 'Factor', description: 'A second factor' },
)
export type Factor = Static<typeof Factor>

export const TrustedDeviceRecord = Type.Object(
  {
    id: Type.String({ examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] }),
    userAgent: Type.String({ examples: ['Mozilla/5.0'] }),
    address: Type.String({ description: 'Network address of the sign-in', examples: ['127.0.0.1'] }),
    createTime: time('When the second step was done there'),
    lastUsedTime: nullable(time('When the second step was last skipped'), {}),
    expiry: time('From when on it is asked for again'),
    current: Type.Boolean({ description: 'Whether it is the browser of this request' }),
  },
  { $id: 'TrustedDevice', description: 'A browser on which the second step is skipped' },
)
export type TrustedDeviceRecord = Static<typeof TrustedDeviceRecord>

export const OwnFactors = Type.Object(
  {
    policy: enumeratedWord<'off' | 'optional' | 'required'>('FactorPolicy', { examples: ['optional'] }),
    deadline: nullable(time('Until when you can sign in without the required factor'), {}),
    factors: Type.Array(ref(Factor)),
    recoveryCodesLeft: int32({ description: 'Recovery codes that are not used', examples: [10] }),
    trustedDevices: Type.Array(ref(TrustedDeviceRecord)),
    userHandle: nullable(Type.String(), {
      description: 'The account in WebAuthn, base64url; null before the first passkey',
    }),
    rpId: nullable(Type.String(), { description: 'Domain of passkeys; null when there are none' }),
  },
  { $id: 'OwnFactors' },
)
export type OwnFactors = Static<typeof OwnFactors>

const { id: deviceId, userAgent, createTime, lastUsedTime, expiry } = TrustedDeviceRecord.properties
const { policy, deadline, factors, recoveryCodesLeft } = OwnFactors.properties

export const UserFactors = Type.Object(
  {
    policy,
    exempt: Type.Boolean({ description: 'Whether no policy asks this account for a factor', examples: [false] }),
    deadline,
    factors,
    recoveryCodesLeft,
    trustedDevices: Type.Array(
      Type.Object({
        id: deviceId,
        userAgent,
        address: Type.Optional(
          Type.String({ description: 'Only with the permission `system:user:contact`', examples: ['127.0.0.1'] }),
        ),
        createTime,
        lastUsedTime,
        expiry,
      }),
    ),
  },
  { $id: 'UserFactors', description: 'The second factors of a user' },
)
export type UserFactors = Static<typeof UserFactors>

/** A DELETE has no body. */
export const ResetFactorsQuery = Type.Object({
  kinds: Type.Optional(
    factorKind({
      enum: ['totp', 'passkey'],
      description: 'Removes only authenticator apps, or only passkeys; absent means all',
    }),
  ),
})

export const BeginTotpRequest = Type.Object(
  { ticket: setupTicket, password: accountPassword, ...contactProof },
  { $id: 'BeginTotpRequest', examples: [{}] },
)
export type BeginTotpRequest = Static<typeof BeginTotpRequest>

export const SetupCodeRequest = Type.Object(
  { ticket: credential('Ticket of the answer 403 `second_factor_setup_required`', ticketExample), ...captchaFields },
  { $id: 'SetupCodeRequest', examples: [{ ticket: ticketExample }] },
)
export type SetupCodeRequest = Static<typeof SetupCodeRequest>

export const SetupCodeSent = Type.Object(
  {
    ...CodeSent.properties,
    contact: Type.Object(
      {
        kind: enumeratedWord<'email' | 'phone'>('ContactKind', { examples: ['email'] }),
        masked: Type.String({ description: 'The contact without its middle', examples: ['a******e@example.com'] }),
      },
      { description: 'Where the code goes' },
    ),
    expiresIn: int32({ description: 'Validity of the code in seconds', examples: [300] }),
  },
  { $id: 'SetupCodeSent' },
)
export type SetupCodeSent = Static<typeof SetupCodeSent>

export const TotpEnrolment = Type.Object(
  {
    key: Type.String({ description: 'To be sent back with the first code', examples: ['m3Yk0d4xQkq1x2b3c4d5eg'] }),
    secret: Type.String({
      description: 'Base32, for apps that cannot read the picture',
      examples: ['JBSWY3DPEHPK3PXP'],
    }),
    uri: Type.String({
      description: 'What the picture contains',
      examples: ['otpauth://totp/Rollcall:alice?secret=JBSWY3DPEHPK3PXP'],
    }),
    qrCode: Type.String({ description: 'SVG as a data URI', examples: ['data:image/svg+xml;base64,PHN2Zz4='] }),
    expiresIn: int32({ description: 'Validity in seconds', examples: [900] }),
  },
  { $id: 'TotpEnrolment' },
)
export type TotpEnrolment = Static<typeof TotpEnrolment>

export const ConfirmTotpRequest = Type.Object(
  {
    key: credential('Key of `POST /auth/factors/totp`', 'm3Yk0d4xQkq1x2b3c4d5eg'),
    code: credential('First code of the app', '123456'),
    name: Type.Optional(factorName),
    ticket: setupTicket,
    ...contactProof,
    cookie: pageCookieField,
  },
  { $id: 'ConfirmTotpRequest' },
)
export type ConfirmTotpRequest = Static<typeof ConfirmTotpRequest>

const recoveryCodes = Type.Array(Type.String(), {
  description: 'Shown once: each signs in once in place of a factor',
  examples: [['K7QP-2M9X-TR4W-8HJD-V3NB-6YZF']],
})

export const EnrolledFactor = Type.Object(
  {
    factor: ref(Factor),
    recoveryCodes: Type.Optional(recoveryCodes),
    session: Type.Optional(ref(LoginResult)),
  },
  { $id: 'EnrolledFactor', description: 'With recovery codes for a first factor, and the session of a ticket' },
)
export type EnrolledFactor = Static<typeof EnrolledFactor>

export const RecoveryCodes = Type.Object({ recoveryCodes }, { $id: 'RecoveryCodes' })

export const FactorParameters = Type.Object({ id: factorId })
export const RenameFactorRequest = Type.Object({ name: factorName }, { $id: 'RenameFactorRequest' })
export const TrustedDeviceParameters = Type.Object({
  id: Type.String({ maxLength: 100, description: 'Id of the browser', examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] }),
})

export const StepUpRequest = Type.Object(
  {
    authType: Type.String({
      maxLength: 64,
      description: '`password`, `totp`, `recovery` or `passkey`',
      examples: ['totp'],
    }),
    password: Type.Optional(credential('For `password`')),
    code: Type.Optional(credential('For `totp` and `recovery`', '123456')),
    credential: Type.Optional(
      passkeyCredential(
        'For `passkey`, with the options of `POST /auth/passkey/options` for this session',
        assertionExample,
      ),
    ),
  },
  { $id: 'StepUpRequest', examples: [{ authType: 'totp', code: '123456' }] },
)
export type StepUpRequest = Static<typeof StepUpRequest>

export const StepUpResult = Type.Object(
  {
    acr: Type.String({ description: '`aal1`: one factor proved in this session; `aal2`: two', examples: ['aal2'] }),
    amr: Type.Array(Type.String(), { description: 'Methods by RFC 8176', examples: [['pwd', 'otp', 'mfa']] }),
    authTime: time('Now'),
  },
  { $id: 'StepUpResult' },
)
export type StepUpResult = Static<typeof StepUpResult>

/** Why a factor may not be set up, whatever its kind. */
export const enrolErrors: Reason[] = [
  'invalid_grant',
  'invalid_code',
  'unsupported_auth_type',
  'fresh_sign_in_required',
  'step_up_required',
  'factor_limit_reached',
  'invalid_credentials',
  'too_many_attempts',
]

/** The same where a factor is confirmed: with a ticket it is the sign-in, which may be refused. */
export const confirmErrors: Reason[] = [
  ...enrolErrors,
  'contact_code_required',
  'account_disabled',
  'account_banned',
  'tenant_disabled',
  'session_limit_reached',
]
