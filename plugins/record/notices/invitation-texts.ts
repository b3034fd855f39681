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
  button: { en: 'Set your password', zh: '设置密码' },
  beforeOnPage: {
    en: 'Type this code there, and a password of your own:',
    zh: '请在该页面输入以下邀请码，并设置密码：',
  },
  before: {
    en: 'Type this code where you sign in to {service}, together with this phone number or e-mail address, and a password of your own. If you do not know that page, ask who invites you for its address:',
    zh: '请在 {service} 的登录页面输入此手机号或邮箱和以下邀请码，并设置密码。如不知道该页面的网址，请向邀请人询问：',
  },
  after: {
    en: 'It is valid for {validity}, until {until}. After that, ask for a new one on the sign-in page, as for a forgotten password. Do not share the code with anyone.',
    zh: '{validity}内有效（截至 {until}），过期后可在登录页点击“忘记密码”重新获取。切勿将邀请码告知他人。',
  },
} as const satisfies Record<string, Text>
