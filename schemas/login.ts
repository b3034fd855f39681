import { Type, type Static } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { int32, int64, nameText, nullable, oneWord, ref } from './ref.js'
import { UserInfo } from './user.js'

/** A kind of client (interface 2.2): a name in the setting `clients`, which gives it lifetimes and a session limit. */
export type UserClient = string
/** The form of names of clients that the configuration may add. */
export const userClientFormat = 'user-client'
export const defaultClient: UserClient = 'pc'
/** The login method of requests that name none. */
export const defaultAuthType = 'password'
/** The tenant of requests that name none. The first start creates it. */
export const defaultTenantId = 1

const userClient = enumeratedWord('UserClient', {
  format: userClientFormat,
  description: 'Client kind, a name in the setting `clients`; in requests, absent means `pc`',
})
const tenantId = int64({ minimum: 1, description: 'Tenant; absent means the default tenant', examples: [1] })
export const credential = (description: string, example?: string) =>
  Type.String({ maxLength: 1024, description, ...(example === undefined ? {} : { examples: [example] }) })

/** The same in every request with an authorization code and a state. */
export const verifierField = credential(
  'The `verifier` that came with `authUrl`; required from browsers without the cookie',
)

/** A ticket of the first step of a sign-in. */
export const ticketExample = 'jY2m0Zk1n8sV5cQwq3rT7uXbA9dEfGhI4oPlKzMxNvB'

/** What `@simplewebauthn/browser` returns, or `PublicKeyCredential.toJSON()`. Whatever else comes is refused as `invalid_grant`. */
export const passkeyCredential = (description: string, example: Record<string, unknown>) =>
  Type.Unsafe<unknown>({
    description: `${description}: the \`PublicKeyCredential\` as an object, or as JSON text; at most 16 KiB`,
    examples: [example],
  })
/** Of a request that starts a session. */
export const pageCookieField = Type.Optional(
  Type.Boolean({
    description:
      'Whether to set the page cookie too: by it a page of the same origin gets the token again (`POST /auth/refreshToken`). Ends the session of another user whose cookie it replaces. Without effect for other origins, and in a form',
    examples: [true],
  }),
)
export const assertionExample = {
  id: 'bTNZazBkNHhRa3ExeDJiM2M0ZDVlZw',
  rawId: 'bTNZazBkNHhRa3ExeDJiM2M0ZDVlZw',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi',
    authenticatorData: 'SZYN5YgO',
    signature: 'MEUCIQ',
  },
  clientExtensionResults: {},
}

/** The tenant and the kind of client of a request. */
export const clientFields = { tenantId: Type.Optional(tenantId), userClient: Type.Optional(userClient) }

/**
 * To be filled in. Without a password it is no try, so that whoever sends it as it is gets no captcha and no lockout; and a
 * document that everybody reads must not suggest a password.
 */
export const loginExample = { username: 'admin', password: '' }

/** Body of a sign-in (interface 2.2). Its row in the login registry decides which fields an `authType` requires. */
export const LoginRequest = Type.Object(
  {
    authType: Type.Optional(
      enumeratedWord('AuthType', { maxLength: 64, description: 'Authentication method; absent means `password`' }),
    ),
    username: Type.Optional(
      nameText('User name, or verified e-mail address or phone number of the tenant, used with `password`', {
        maxLength: 1024,
        examples: ['admin'],
      }),
    ),
    password: Type.Optional(credential('Password, used with `username`', 'a brand new kettle')),
    code: Type.Optional(credential('Captcha answer or one-time code', '123456')),
    codeKey: Type.Optional(credential('Key of the captcha, or of the one-time code', 'captcha:m3Yk0d4xQkq1x2b3c4d5eg')),
    ...clientFields,
    phone: Type.Optional(credential('Phone number, for `phone_captcha`', '13800138000')),
    email: Type.Optional(credential('E-mail address, for `email_captcha`', 'alice@example.com')),
    authCode: Type.Optional(
      credential('Authorization code, for `oauth2`; that of the mini-program with `userClient: wechat`', '0b8c4f1e7a'),
    ),
    state: Type.Optional(
      credential('The state that came with the authorization code', 'github_m3Yk0d4xQkq1x2b3c4d5eg'),
    ),
    verifier: Type.Optional(verifierField),
    iss: Type.Optional(credential('The `iss` parameter that came with the authorization code (RFC 9207), if any')),
    socialTicket: Type.Optional(
      credential(
        'Ticket of `POST /social/callback`, for `social` and `oauth2`; valid once',
        '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ),
    ),
    ticket: Type.Optional(
      credential(
        'Ticket of the answer 403 `second_factor_required`, for `totp` and `recovery`; with `passkey` it makes this the second step',
        ticketExample,
      ),
    ),
    credential: Type.Optional(passkeyCredential('For `passkey`', assertionExample)),
    trustDevice: Type.Optional(
      Type.Boolean({
        description:
          'Whether this browser skips the second step from now on, for the days of the setting `secondFactor.trustDays`',
        examples: [true],
      }),
    ),
    cookie: pageCookieField,
  },
  {
    $id: 'LoginRequest',
    description: 'Unknown fields are ignored; `null` and `""` mean absent',
    examples: [loginExample],
  },
)
export type LoginRequest = Static<typeof LoginRequest>

/** Payload of a successful sign-in or refresh (interface 2.3). */
export const LoginResult = Type.Object(
  {
    accessToken: Type.String({
      description: 'JWT, to be sent as `Authorization: Bearer <token>`',
      examples: ['eyJhbGciOiJFUzI1NiIs…'],
    }),
    tokenType: Type.String({ examples: ['Bearer'] }),
    expiresIn: int32({ description: 'Validity of the token in seconds', examples: [1800] }),
    userInfo: ref(UserInfo),
    forcePasswordChange: Type.Boolean({
      description:
        'The user must change the password: until then, only requests that show the user, change the password or sign out are accepted',
    }),
  },
  { $id: 'LoginResult' },
)
export type LoginResult = Static<typeof LoginResult>

export const CaptchaQuery = Type.Object({
  tenantId: Type.Optional(int64({ minimum: 1, description: 'Binds the captcha to this tenant' })),
})

export const Captcha = Type.Object(
  {
    codeKey: Type.String({
      description: 'To be sent back with the answer',
      examples: ['captcha:m3Yk0d4xQkq1x2b3c4d5eg'],
    }),
    image: Type.Optional(
      Type.String({
        description: 'PNG as a data URI; with `graphical`',
        examples: ['data:image/png;base64,iVBORw0KGgo='],
      }),
    ),
    challenge: Type.Optional(
      Type.Unsafe<object>(
        Type.Object({}, { additionalProperties: true, description: 'Challenge for the altcha widget; with `pow`' }),
      ),
    ),
    expiresIn: int32({ description: 'Validity in seconds', examples: [300] }),
    captchaType: enumeratedWord('CaptchaType', { examples: ['graphical'] }),
    code: Type.Optional(Type.String({ description: 'The answer; only with ROLLCALL_DEV_ECHO=1' })),
  },
  { $id: 'Captcha' },
)
export type Captcha = Static<typeof Captcha>

export const LoginConfigQuery = Type.Object(clientFields)

export const PasswordPolicy = Type.Object(
  {
    minLength: int32({ description: 'Code points', examples: [8] }),
    maxLength: int32({ description: 'Code points', examples: [128] }),
  },
  { $id: 'PasswordPolicy' },
)
export type PasswordPolicy = Static<typeof PasswordPolicy>

export const SocialPlatform = Type.Object(
  {
    platform: Type.String({ examples: ['github'] }),
    platformName: Type.String({ examples: ['GitHub'] }),
    platformLogo: nullable(Type.String()),
    enabled: Type.Boolean(),
  },
  { $id: 'SocialPlatform' },
)
export type SocialPlatform = Static<typeof SocialPlatform>

export const PhoneNumbers = Type.Object(
  {
    region: nullable(Type.String(), {
      description:
        'Country (ISO 3166) of numbers without a country code, which must be mobile numbers; `null`: each number needs its country code',
      examples: ['CN'],
    }),
    national: nullable(Type.String(), {
      description: 'A mobile number of this country, which nobody has',
      examples: ['131 2345 6789'],
    }),
    international: Type.String({
      description: 'A number of another country, with its country code',
      examples: ['+44 7400 123456'],
    }),
  },
  { $id: 'PhoneNumbers', description: 'How phone numbers are written' },
)

export const LoginConfig = Type.Object(
  {
    enableCaptcha: Type.Boolean({ description: 'False only if no sign-in ever needs a captcha', examples: [true] }),
    captchaType: enumeratedWord('CaptchaType', { examples: ['graphical'] }),
    authTypes: Type.Array(enumeratedWord('AuthType'), { examples: [['password', 'password_captcha']] }),
    userClient,
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
    secondFactors: Type.Array(Type.String(), {
      description: 'The `authType` of each second step',
      examples: [['passkey', 'totp', 'recovery']],
    }),
    passkeys: nullable(
      Type.Object({
        rpId: Type.String({ description: 'Domain of passkeys', examples: ['example.com'] }),
        address: nullable(Type.String(), {
          description: 'Where pages can use them; `null`: only apps can',
          examples: ['https://id.example.com'],
        }),
      }),
      { description: '`null`: there are none' },
    ),
    publicUrl: nullable(Type.String(), {
      description: 'Where people reach the service; `null`: it is not configured, and messages have no links',
      examples: ['https://id.example.com'],
    }),
    phoneNumbers: ref(PhoneNumbers),
    socialPlatforms: Type.Array(ref(SocialPlatform)),
    passwordPolicy: ref(PasswordPolicy),
    systemName: nullable(Type.String()),
    systemLogo: nullable(Type.String()),
    browserTitle: nullable(Type.String()),
    copyrightInfo: nullable(Type.String()),
    color: Type.String({ description: 'Color of the page, dark enough for white text', examples: ['#14616f'] }),
    helpUrl: nullable(Type.String(), { description: 'Page with help', examples: ['https://help.example.com/sign-in'] }),
    registration: enumeratedWord<'closed' | 'open'>('RegistrationMode', {
      description:
        '`open`: everybody may add an account to this tenant (`POST /auth/register`); `closed` also where nothing can send the code for it',
      examples: ['closed'],
    }),
    resetChannels: Type.Array(oneWord(['email', 'phone']), {
      description: 'Where the code of a forgotten password can be sent (`POST /auth/password/forgot`)',
      examples: [['email']],
    }),
    contactChannels: Type.Array(oneWord(['email', 'phone']), {
      description:
        'Where the code for a new contact can be sent (`POST /auth/profile/code`). Contacts of another kind are changed by administrators only',
      examples: [['email']],
    }),
  },
  { $id: 'LoginConfig', description: 'What a sign-in page needs to know' },
)
export type LoginConfig = Static<typeof LoginConfig>

export const ChangePasswordRequest = Type.Object(
  {
    oldPassword: Type.Optional(
      credential('Current password; absent only for an account without a password', 'an old tin kettle'),
    ),
    newPassword: credential('New password: 8 to 128 characters of any kind, not a common one', 'a brand new kettle'),
    endTokens: Type.Optional(
      Type.Boolean({ description: 'Whether your API tokens end, too; absent means false', examples: [false] }),
    ),
  },
  {
    $id: 'ChangePasswordRequest',
    description: 'May also come as form fields or query parameters',
    examples: [{ oldPassword: '', newPassword: '' }],
  },
)
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>
