import type { Text } from './texts.js'

/** The subject of each notice, which names what has happened, and its first sentence. */
export const noticeTexts = {
  identity_linked: {
    subject: { en: 'An account at {platform} was linked to yours', zh: '已绑定 {platform} 账号' },
    text: {
      en: 'An account at {platform} was linked to your account {username}. Anyone who controls it can sign in as you.',
      zh: '您的账号 {username} 绑定了一个 {platform} 账号，持有该账号的人可以以您的身份登录。',
    },
  },
  identity_unlinked: {
    subject: { en: 'An account at {platform} was unlinked from yours', zh: '已解绑 {platform} 账号' },
    text: {
      en: 'An account at {platform} was unlinked from your account {username}. It can no longer be used to sign in.',
      zh: '您的账号 {username} 解绑了一个 {platform} 账号，该账号不能再用于登录。',
    },
  },
  first_password: {
    subject: { en: 'Your account has a password now', zh: '账号已首次设置密码' },
    text: {
      en: 'A password was set for your account {username}, which had none. Anyone who knows it can sign in as you.',
      zh: '您的账号 {username} 首次设置了密码，知道该密码的人可以以您的身份登录。',
    },
  },
  password_changed: {
    subject: { en: 'Your password was changed', zh: '密码已修改' },
    text: {
      en: 'The password of your account {username} was changed.',
      zh: '您的账号 {username} 的密码已修改。',
    },
  },
  phone_changed: {
    subject: { en: 'Your phone number was changed', zh: '手机号已变更' },
    text: {
      en: 'The phone number of your account {username} was changed or removed.',
      zh: '您的账号 {username} 的手机号已更换或移除。',
    },
  },
  email_changed: {
    subject: { en: 'Your e-mail address was changed', zh: '邮箱已变更' },
    text: {
      en: 'The e-mail address of your account {username} was changed or removed. This address gets no further messages.',
      zh: '您的账号 {username} 的邮箱已更换或移除，此邮箱不再接收通知。',
    },
  },
  factor_added: {
    subject: { en: 'A second factor was added: {factor}', zh: '已添加第二步验证方式：{factor}' },
    text: {
      en: 'A second factor was added to your account {username}: {factor}.',
      zh: '您的账号 {username} 添加了第二步验证方式：{factor}。',
    },
  },
  factor_removed: {
    subject: { en: 'A second factor was removed: {factor}', zh: '已移除第二步验证方式：{factor}' },
    text: {
      en: 'A second factor was removed from your account {username}: {factor}.',
      zh: '您的账号 {username} 移除了第二步验证方式：{factor}。',
    },
  },
  factors_reset: {
    subject: { en: 'Your second factors were removed', zh: '第二步验证方式已被管理员移除' },
    text: {
      en: 'An administrator removed the second factors of your account {username} and ended its sessions. Unless second factors are switched off, set up a new one after the next sign-in, on the page of your account about password and security.',
      zh: '管理员移除了您的账号 {username} 的第二步验证方式，并结束了所有会话。除非第二步验证已关闭，请在重新登录后到账号的“密码与安全”页面重新设置。',
    },
  },
  recovery_codes_made: {
    subject: { en: 'New recovery codes were made', zh: '已生成新的恢复码' },
    text: {
      en: 'New recovery codes were made for your account {username}. The former ones no longer work.',
      zh: '您的账号 {username} 生成了新的恢复码，旧的恢复码已失效。',
    },
  },
  recovery_code_used: {
    subject: { en: 'Recovery code used, {left} left', zh: '恢复码已被使用，剩余 {left} 个' },
    text: {
      en: 'Somebody used a recovery code to sign in to your account {username}. Codes that are left: {left}.',
      zh: '有人使用恢复码登录了您的账号 {username}，剩余恢复码：{left} 个。',
    },
  },
  factor_guessed: {
    subject: { en: 'Wrong codes in the second step of your sign-in', zh: '第二步登录多次输错验证码' },
    text: {
      en: 'Somebody who has passed the first step of the sign-in to your account {username}, and may know your password, has entered five wrong codes. Change your password if it was not you.',
      zh: '有人通过了您的账号 {username} 的第一步登录（可能已知道您的密码），并输错了五次验证码。如非本人操作，请修改密码。',
    },
  },
  factor_codes_refused: {
    subject: { en: 'Codes of authenticator apps are refused for now', zh: '已停止接受身份验证器验证码' },
    text: {
      en: 'Somebody who has passed the first step of the sign-in to your account {username}, and may know your password, has entered a hundred wrong codes. Codes of authenticator apps are refused there from now on, until you sign in by a passkey or a recovery code, or an administrator unlocks your account. Browsers in which you have used a code go on as before. Change your password if it was not you.',
      zh: '有人通过了您的账号 {username} 的第一步登录（可能已知道您的密码），并输错了一百次验证码。现已停止接受该处的身份验证器验证码，直至您使用通行密钥或恢复码登录，或由管理员解锁账号；您曾通过验证的浏览器不受影响。如非本人操作，请修改密码。',
    },
  },
  role_factor_lifted: {
    subject: { en: 'The role {of} no longer needs a second factor', zh: '角色 {of} 不再要求第二步验证' },
    text: {
      en: 'You are told as an administrator, {username}: {by} has taken away that users with the role {of} need a second factor.',
      zh: '管理员 {username}：{by} 取消了角色 {of} 的第二步验证要求。',
    },
  },
  tenant_factor_lifted: {
    subject: { en: 'The tenant {of} no longer needs a second factor', zh: '租户 {of} 不再要求第二步验证' },
    text: {
      en: 'You are told as an administrator, {username}: {by} has taken away that users of the tenant {of} need a second factor.',
      zh: '管理员 {username}：{by} 取消了租户 {of} 的第二步验证要求。',
    },
  },
  user_factor_lifted: {
    subject: { en: 'The user {of} no longer needs a second factor', zh: '用户 {of} 不再要求第二步验证' },
    text: {
      en: 'You are told as an administrator, {username}: {by} has taken away that the user {of} needs a second factor.',
      zh: '管理员 {username}：{by} 取消了用户 {of} 的第二步验证要求。',
    },
  },
  passkey_copied: {
    subject: { en: 'A passkey was refused, it may have been copied', zh: '通行密钥可能已被复制，已拒绝使用' },
    text: {
      en: 'A passkey of your account {username} was refused, because somebody may have a copy of it: {factor}. Remove it if you do not know why.',
      zh: '您的账号 {username} 的通行密钥（{factor}）可能已被复制，本次使用已被拒绝。如不清楚原因，请移除该通行密钥。',
    },
  },
  new_device: {
    subject: { en: 'New sign-in to your account', zh: '账号在新设备上登录' },
    text: {
      en: 'Somebody signed in to your account {username} on a device that had not been used for it before.',
      zh: '您的账号 {username} 在一台新设备上登录。',
    },
  },
  token_ends: {
    subject: { en: 'The API token {of} ends in a week', zh: 'API 令牌“{of}”将在一周内到期' },
    text: {
      en: 'The API token {of} of your account {username} ends at {left}. Where it is still needed, make a new one on the page of your account, and put it where the script finds it.',
      zh: '您的账号 {username} 的 API 令牌“{of}”将于 {left} 到期。如仍需要，请在账号页面创建新的令牌并替换。',
    },
  },
  service_token_ends: {
    subject: { en: 'An API token of {by} ends in a week', zh: '{by} 的 API 令牌将在一周内到期' },
    text: {
      en: 'The API token {of} of the service account {by}, which you have made, ends at {left}. Where it is still needed, make a new one in the console, and put it where the service finds it.',
      zh: '您创建的服务账号 {by} 的 API 令牌“{of}”将于 {left} 到期。如仍需要，请在控制台创建新的令牌并替换。',
    },
  },
} as const satisfies Record<string, { subject: Text; text: Text }>

export type Notice = keyof typeof noticeTexts

/** What nobody has done: no time and no address of it is told, and no advice. */
export const reminders: readonly Notice[] = ['token_ends', 'service_token_ends']

/** What stands around this sentence in a mail. */
export const noticeFrame = {
  greeting: { en: 'Hello {realName},', zh: '{realName}，您好：' },
  time: { en: 'Time', zh: '时间' },
  address: { en: 'Network address', zh: '网络地址' },
  advice: {
    en: 'If this was not you, sign in, end your other sessions, change your password, remove linked accounts that you do not know, and tell your administrator.',
    zh: '如非本人操作，请登录后结束其他会话、修改密码、解绑不认识的账号，并联系管理员。',
  },
} as const satisfies Record<string, Text>
