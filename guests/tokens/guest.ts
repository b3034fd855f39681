import type { Guest } from '../guest.js'
import type {} from './settings.js'

declare module '../../lib/permissions.js' {
  interface GuestPermissions {
    'system:token:list': true
    'system:token:add': true
    'system:token:remove': true
  }
}

declare module '../../schemas/problems.js' {
  interface GuestProblems {
    too_many_tokens: true
  }
}

declare module '../../schemas/enumerations.js' {
  interface GuestAuditActions {
    'token.add': true
    'token.end': true
  }
}

declare module '../../plugins/record/audit/audit.js' {
  interface GuestTargets {
    token: true
  }
}

export default {
  name: 'tokens',
  settings: async () => ({ tokens: (await import('./settings.js')).Tokens }),
  problems: {
    too_many_tokens: {
      status: 409,
      en: 'There are as many API tokens as an account may have: end one first',
      zh: 'API 令牌数量已达上限，请先停止一个',
    },
  },
  permissions: ['system:token:list', 'system:token:add', 'system:token:remove'],
  auditActions: { 'token.add': 'an API token was made', 'token.end': 'an API token was ended' },
  commands: () => import('./commands.js'),
  doctor: async (installation, db) => (await import('./doctor.js')).checkTokens(installation, db),
  hasPages: true,
  isOn: () => true,
  service: () => import('./service.js'),
  components: async () => Object.values((await import('./schemas.js')).components),
  routes: () => import('./index.js'),
} satisfies Guest
