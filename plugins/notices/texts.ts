/** The first sentence of each notice. */
export const texts = {
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
} as const satisfies Record<string, { en: string; zh: string }>

export type Notice = keyof typeof texts

/** Mails contain both languages: the language of the request may not be the language of the owner. */
export const frame = {
  subject: '{service}: a change to your account / 账号变更通知',
  en: 'Time: {time}. Network address: {address}. If this was not you, sign in, end your other sessions, change your password, remove linked accounts that you do not know, and tell your administrator.',
  zh: '时间：{time}，网络地址：{address}。如非本人操作，请登录后结束其他会话、修改密码、解绑不认识的账号，并联系管理员。',
} as const
