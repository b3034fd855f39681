import type { Language } from '../../../schemas/problems.js'

export type Text = Record<Language, string>

/** What a one-time code may be used for. */
export type CodePurpose = 'sign-in' | 'password-reset' | 'invitation' | 'new-contact' | 'registration' | 'factor-setup'

/**
 * Messages with a code, in the language of the request; the code stands between `before` and `after`. Those that strangers
 * can have sent to addresses without an account contain no name of a user: they would choose what others read.
 */
export const codeTexts: Record<Exclude<CodePurpose, 'invitation'>, { subject: Text; before: Text; after: Text }> = {
  'sign-in': {
    subject: { en: '{service}: your sign-in code', zh: '{service} 登录验证码' },
    before: { en: 'Your sign-in code for {service}:', zh: '您的 {service} 登录验证码：' },
    after: {
      en: 'It is valid for {validity}. If you did not ask for it, ignore this message and do not share the code with anyone.',
      zh: '{validity}内有效。如非本人操作，请忽略本消息，切勿将验证码告知他人。',
    },
  },
  'password-reset': {
    subject: { en: '{service}: your code for a new password', zh: '{service} 重置密码验证码' },
    before: {
      en: 'Your code to set a new password for {service}:',
      zh: '您的 {service} 账号 {username} 的重置密码验证码：',
    },
    after: {
      en: 'Your user name is {username}. The code is valid for {validity}. If you did not ask for it, ignore this message and do not share the code with anyone: your password stays as it is.',
      zh: '{validity}内有效。如非本人操作，请忽略本消息，您的密码不会改变，切勿将验证码告知他人。',
    },
  },
  'new-contact': {
    subject: { en: '{service}: confirm your contact', zh: '{service} 联系方式验证码' },
    before: {
      en: 'The code to add this phone number or e-mail address to an account for {service}:',
      zh: '您正在为 {service} 账号绑定此手机号或邮箱，验证码：',
    },
    after: {
      en: 'It is valid for {validity}. If you did not ask for it, ignore this message and do not share the code with anyone.',
      zh: '{validity}内有效。如非本人操作，请忽略本消息，切勿将验证码告知他人。',
    },
  },
  'factor-setup': {
    subject: { en: '{service}: your code to set up a second factor', zh: '{service} 设置第二步验证的验证码' },
    before: {
      en: 'Your code to set up a second factor for {service}:',
      zh: '您正在为 {service} 账号 {username} 设置第二步验证，验证码：',
    },
    after: {
      en: 'Your user name is {username}. The code is valid for {validity}. If you did not ask for it, somebody may know your password: change it, and do not share the code with anyone.',
      zh: '{validity}内有效。如非本人操作，他人可能已知道您的密码，请修改密码，切勿将验证码告知他人。',
    },
  },
  registration: {
    subject: { en: '{service}: your registration code', zh: '{service} 注册验证码' },
    before: { en: 'Your code to register for {service}:', zh: '您的 {service} 注册验证码：' },
    after: {
      en: 'It is valid for {validity}. If you did not ask for it, ignore this message and do not share the code with anyone.',
      zh: '{validity}内有效。如非本人操作，请忽略本消息，切勿将验证码告知他人。',
    },
  },
}

/** The `message` of the response to a request for a code. */
export const codeSent: Text = { en: 'The code is on its way', zh: '验证码已发送' }
