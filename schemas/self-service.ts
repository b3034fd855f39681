import { Type, type Static } from '@sinclair/typebox'
import { clientFields, credential } from './login.js'
import { userFields } from './managed-user.js'
import { captchaFields, recipient } from './one-time-code.js'
import { clearable, int64 } from './ref.js'

const { tenantId } = clientFields
const ownRecipient = recipient('Phone number or e-mail address of the account', 'alice@example.com')
const newPassword = credential('New password: 8 to 128 characters of any kind, not a common one', 'a brand new kettle')

export const ForgotPasswordRequest = Type.Object(
  { recipient: ownRecipient, tenantId, ...captchaFields },
  { $id: 'ForgotPasswordRequest' },
)
export type ForgotPasswordRequest = Static<typeof ForgotPasswordRequest>

export const ResetPasswordRequest = Type.Object(
  {
    recipient: ownRecipient,
    code: credential('One-time code that was sent to the recipient', '123456'),
    codeKey: Type.Optional(credential('Key of the one-time code')),
    newPassword,
    endTokens: Type.Optional(
      Type.Boolean({
        description: 'Whether the API tokens of the account end, too; absent means true',
        examples: [true],
      }),
    ),
    tenantId,
  },
  { $id: 'ResetPasswordRequest' },
)
export type ResetPasswordRequest = Static<typeof ResetPasswordRequest>

export const PasswordReset = Type.Object(
  { username: Type.String({ description: 'The user name to sign in with', examples: ['alice'] }) },
  { $id: 'PasswordReset', description: 'The account whose password was set' },
)
export type PasswordReset = Static<typeof PasswordReset>

export const ContactCodeRequest = Type.Object(
  { recipient: recipient('The new phone number or e-mail address', 'alice@example.com'), ...captchaFields },
  { $id: 'ContactCodeRequest' },
)
export type ContactCodeRequest = Static<typeof ContactCodeRequest>

const { username, realName, gender, avatar, phone, email } = userFields

export const ProfileChangeRequest = Type.Object(
  {
    realName: clearable({ ...realName, description: 'Name for people; cannot be cleared' }),
    gender: Type.Optional(gender),
    avatar: clearable(avatar),
    phone: clearable(phone),
    phoneCode: Type.Optional(credential('One-time code that was sent to the new phone number')),
    phoneCodeKey: Type.Optional(credential('Key of this code')),
    email: clearable(email),
    emailCode: Type.Optional(credential('One-time code that was sent to the new e-mail address')),
    emailCodeKey: Type.Optional(credential('Key of this code')),
    password: Type.Optional(
      credential('Current password, to change or clear a contact later than ten minutes after the sign-in'),
    ),
  },
  {
    $id: 'ProfileChangeRequest',
    description: 'Absent fields stay as they are, `null` clears a field',
    examples: [{ realName: 'Alice Liddell', avatar: null }],
  },
)
export type ProfileChangeRequest = Static<typeof ProfileChangeRequest>

export const RegistrationCodeRequest = Type.Object(
  { recipient: recipient('Phone number or e-mail address', 'alice@example.com'), tenantId, ...captchaFields },
  { $id: 'RegistrationCodeRequest' },
)
export type RegistrationCodeRequest = Static<typeof RegistrationCodeRequest>

export const RegistrationRequest = Type.Object(
  {
    username,
    password: credential('8 to 128 characters of any kind, not a common password', 'a brand new kettle'),
    realName: Type.Optional(realName),
    recipient: recipient('Phone number or e-mail address that received the code', 'alice@example.com', [
      'phone',
      'email',
    ]),
    code: credential('One-time code of `POST /auth/register/code`', '123456'),
    codeKey: Type.Optional(credential('Key of the one-time code')),
    tenantId,
  },
  {
    $id: 'RegistrationRequest',
    examples: [{ username: 'alice', password: 'a brand new kettle', recipient: 'alice@example.com', code: '123456' }],
  },
)
export type RegistrationRequest = Static<typeof RegistrationRequest>

export const Registered = Type.Object(
  {
    userId: int64({ examples: [2] }),
    tenantId: int64({ examples: [1] }),
    username: Type.String({ examples: ['alice'] }),
  },
  { $id: 'Registered', description: 'The new user, who now signs in' },
)
export type Registered = Static<typeof Registered>
