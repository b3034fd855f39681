import type { Text } from './texts.js'

/** An invitation. The code stands between `before` and `after`; `beforeOnPage` is for a mail that leads to the page where it is typed. */
export const invitationTexts = {
  subject: { en: '{by} invites you to {service}', zh: '{by} 邀请您使用 {service}' },
  intro: {
    en: '{by} invites you to {place}. Your user name there is {username}.',
    zh: '{by} 邀请您使用 {place}，您的用户名为 {username}。',
  },
  /** To what, for a tenant with a name of its own. */
  place: { en: '{service} ({tenant})', zh: '{service}（{tenant}）' },
  /** Where nobody is known by name. */
  somebody: { en: 'An administrator', zh: '管理员' },
  /** What the invitation is sent to. */
  email: { en: 'e-mail address', zh: '邮箱' },
  phone: { en: 'phone number', zh: '手机号' },
  button: { en: 'Set your password', zh: '设置密码' },
  beforeOnPage: {
    en: 'Type this code there, and a password of your own:',
    zh: '请在该页面输入以下邀请码，并设置密码：',
  },
  before: {
    en: 'Type this code where you sign in to {service}, together with this {contact}, and a password of your own. If you do not know the address of that page, ask who has invited you. Code:',
    zh: '请在 {service} 的登录页面输入此{contact}和以下邀请码，并设置密码。如不知道网址，请询问邀请人。邀请码：',
  },
  after: {
    en: 'It is valid for {validity}, until {until}. After that, ask for a new one on the sign-in page, as for a forgotten password. Do not share the code with anyone.',
    zh: '{validity}内有效（截至 {until}），过期后可在登录页点击“忘记密码”重新获取。切勿将邀请码告知他人。',
  },
} as const satisfies Record<string, Text>
