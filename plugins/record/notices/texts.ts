import type { Language } from '../../../schemas/problems.js'

type Text = Record<Language, string>

/** What a one-time code may be used for. */
export type CodePurpose = 'sign-in' | 'password-reset' | 'invitation' | 'new-contact' | 'registration' | 'factor-setup'

/**
 * Messages with a code, in the language of the request; the code stands between `before` and `after`. Those that strangers
 * can have sent to addresses without an account contain no name of a user: they would choose what others read.
 */
export const codeTexts: Record<CodePurpose, { subject: Text; before: Text; after: Text }> = {
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
  invitation: {
    subject: { en: '{service}: set the password of your new account', zh: '{service} 新账号：请设置密码' },
    before: {
      en: 'An account for {service} was created for you. Your user name is {username}. The code to set its password, together with this phone number or e-mail address:',
      zh: '已为您创建 {service} 账号，用户名为 {username}。请凭此手机号或邮箱和以下验证码设置密码：',
    },
    after: {
      en: 'It is valid for {validity}. After that, ask for a new code where you sign in. Do not share the code with anyone.',
      zh: '{validity}内有效，过期后可在登录页重新获取。切勿将验证码告知他人。',
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
    subject: { en: '{service}: your code to set up a second factor', zh: '{service} 设置第二重验证的验证码' },
    before: {
      en: 'Your code to set up a second factor for {service}:',
      zh: '您正在为 {service} 账号 {username} 设置第二重验证，验证码：',
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

/** The first sentence of each notice. */
export const noticeTexts = {
  identity_linked: {
    en: 'An account at {platform} was linked to your account {username}. Anyone who controls it can sign in as you.',
    zh: '您的账号 {username} 绑定了一个 {platform} 账号，持有该账号的人可以以您的身份登录。',
  },
  identity_unlinked: {
    en: 'An account at {platform} was unlinked from your account {username}. It can no longer be used to sign in.',
    zh: '您的账号 {username} 解绑了一个 {platform} 账号，该账号不能再用于登录。',
  },
  first_password: {
    en: 'A password was set for your account {username}, which had none. Anyone who knows it can sign in as you.',
    zh: '您的账号 {username} 首次设置了密码，知道该密码的人可以以您的身份登录。',
  },
  password_changed: {
    en: 'The password of your account {username} was changed.',
    zh: '您的账号 {username} 的密码已修改。',
  },
  phone_changed: {
    en: 'The phone number of your account {username} was changed or removed.',
    zh: '您的账号 {username} 的手机号已更换或移除。',
  },
  email_changed: {
    en: 'The e-mail address of your account {username} was changed or removed. This address gets no further messages.',
    zh: '您的账号 {username} 的邮箱已更换或移除，此邮箱不再接收通知。',
  },
  factor_added: {
    en: 'A second factor was added to your account {username}: {factor}.',
    zh: '您的账号 {username} 添加了第二重验证方式：{factor}。',
  },
  factor_removed: {
    en: 'A second factor was removed from your account {username}: {factor}.',
    zh: '您的账号 {username} 移除了第二重验证方式：{factor}。',
  },
  factors_reset: {
    en: 'An administrator removed the second factors of your account {username}.',
    zh: '管理员移除了您的账号 {username} 的第二重验证方式。',
  },
  recovery_codes_made: {
    en: 'New recovery codes were made for your account {username}. The former ones no longer work.',
    zh: '您的账号 {username} 生成了新的恢复码，旧的恢复码已失效。',
  },
  recovery_code_used: {
    en: 'Somebody used a recovery code to sign in to your account {username}. Codes that are left: {left}.',
    zh: '有人使用恢复码登录了您的账号 {username}，剩余恢复码：{left} 个。',
  },
  factor_guessed: {
    en: 'Somebody who has passed the first step of the sign-in to your account {username}, and may know your password, has entered five wrong codes. Change your password if it was not you.',
    zh: '有人通过了您的账号 {username} 的第一步登录（可能已知道您的密码），并输错了五次验证码。如非本人操作，请修改密码。',
  },
  factor_codes_refused: {
    en: 'Somebody who has passed the first step of the sign-in to your account {username}, and may know your password, has entered a hundred wrong codes. Codes of authenticator apps are refused there from now on, until you sign in by a passkey or a recovery code, or an administrator unlocks your account. Browsers in which you have used a code go on as before. Change your password if it was not you.',
    zh: '有人通过了您的账号 {username} 的第一步登录（可能已知道您的密码），并输错了一百次验证码。现已停止接受该处的身份验证器验证码，直至您使用通行密钥或恢复码登录，或由管理员解锁账号；您曾通过验证的浏览器不受影响。如非本人操作，请修改密码。',
  },
  role_factor_lifted: {
    en: 'You are told as an administrator, {username}: {by} has taken away that users with the role {of} need a second factor.',
    zh: '管理员 {username}：{by} 取消了角色 {of} 的第二重验证要求。',
  },
  tenant_factor_lifted: {
    en: 'You are told as an administrator, {username}: {by} has taken away that users of the tenant {of} need a second factor.',
    zh: '管理员 {username}：{by} 取消了租户 {of} 的第二重验证要求。',
  },
  user_factor_lifted: {
    en: 'You are told as an administrator, {username}: {by} has taken away that the user {of} needs a second factor.',
    zh: '管理员 {username}：{by} 取消了用户 {of} 的第二重验证要求。',
  },
  passkey_copied: {
    en: 'A passkey of your account {username} was refused, because somebody may have a copy of it: {factor}. Remove it if you do not know why.',
    zh: '您的账号 {username} 的通行密钥（{factor}）可能已被复制，本次使用已被拒绝。如不清楚原因，请移除该通行密钥。',
  },
  new_device: {
    en: 'Somebody signed in to your account {username} on a device that had not been used for it before.',
    zh: '您的账号 {username} 在一台新设备上登录。',
  },
} as const satisfies Record<string, Text>

export type Notice = keyof typeof noticeTexts

/** What stands around this sentence in a mail. */
export const noticeFrame = {
  subject: { en: 'a change to your account', zh: '账号变更通知' },
  greeting: { en: 'Hello {realName},', zh: '{realName}，您好：' },
  time: { en: 'Time', zh: '时间' },
  address: { en: 'Network address', zh: '网络地址' },
  advice: {
    en: 'If this was not you, sign in, end your other sessions, change your password, remove linked accounts that you do not know, and tell your administrator.',
    zh: '如非本人操作，请登录后结束其他会话、修改密码、解绑不认识的账号，并联系管理员。',
  },
} as const satisfies Record<string, Text>
