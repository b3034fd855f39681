import type { OwnRule } from '../../lib/violations.js'

export const rules = {
  days: { en: 'must be at most {limit}', zh: '不能超过 {limit}' },
  endless: {
    en: 'must be given: tokens without an end are not allowed here (tokens.allowEndless)',
    zh: '不能为空：此处不允许永久有效的令牌（tokens.allowEndless）',
  },
  address: {
    en: 'must be addresses or ranges of addresses, such as 192.0.2.0/24',
    zh: '必须是网络地址或地址段，例如 192.0.2.0/24',
  },
  beyond: { en: 'are more than the account has', zh: '超出该账号的权限' },
  person: {
    en: 'is a person, who makes tokens in the own account',
    zh: '该用户不是服务账号，应由本人在自己的账号中创建令牌',
  },
} as const satisfies Record<string, OwnRule>
