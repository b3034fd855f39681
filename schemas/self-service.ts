import { Type, type Static } from '@sinclair/typebox'
import { clientFields, credential } from './login.js'
import { captchaFields } from './one-time-code.js'

const { tenantId } = clientFields
const recipient = credential('Phone number or e-mail address of the account', 'alice@example.com')
const newPassword = credential('New password: 8 to 128 characters of any kind, not a common one')

export const ForgotPasswordRequest = Type.Object(
  { recipient, tenantId, ...captchaFields },
  { $id: 'ForgotPasswordRequest' },
)
export type ForgotPasswordRequest = Static<typeof ForgotPasswordRequest>

export const ResetPasswordRequest = Type.Object(
  {
    recipient,
    code: credential('One-time code that was sent to the recipient', '123456'),
    codeKey: Type.Optional(credential('Key of the one-time code')),
    newPassword,
    tenantId,
  },
  { $id: 'ResetPasswordRequest' },
)
export type ResetPasswordRequest = Static<typeof ResetPasswordRequest>
