import { Type, type Static, type TString } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { clientFields, credential } from './login.js'
import { formerNames, int32 } from './ref.js'

export const captchaFields = {
  code: Type.Optional(credential('Captcha answer, after `captcha_required`')),
  codeKey: Type.Optional(credential('Key of the captcha')),
}

/** Whom a code goes to, the same word in every request. */
export const recipient = (description: string, example: string, former: readonly string[] = []): TString =>
  Object.assign(credential(description, example), { [formerNames]: former })

export const SmsCodeRequest = Type.Object(
  { recipient: recipient('Phone number', '13800138000', ['phone']), ...clientFields, ...captchaFields },
  { $id: 'SmsCodeRequest', description: 'May also come as form fields or query parameters' },
)
export type SmsCodeRequest = Static<typeof SmsCodeRequest>

export const EmailCodeRequest = Type.Object(
  { recipient: recipient('E-mail address', 'alice@example.com', ['email']), ...clientFields, ...captchaFields },
  { $id: 'EmailCodeRequest', description: 'May also come as form fields or query parameters' },
)
export type EmailCodeRequest = Static<typeof EmailCodeRequest>

export const CodeSent = Type.Object(
  {
    status: enumeratedWord('SendStatus', { examples: ['success'] }),
    interval: int32({ description: 'Seconds until the next code may be requested', examples: [60] }),
    message: Type.String({ examples: ['The code is on its way'] }),
    codeKey: Type.String({
      description:
        'To be sent back with the code. With it, nobody else can use up the attempts of this code, and a newer code does not end it',
      examples: ['one-time-code:m3Yk0d4xQkq1x2b3c4d5eg'],
    }),
    code: Type.Optional(Type.String({ description: 'The code; only with ROLLCALL_DEV_ECHO=1' })),
  },
  { $id: 'CodeSent', description: 'The same whether or not an account has this number or address' },
)
export type CodeSent = Static<typeof CodeSent>
