import type { Guest } from '../guest.js'
import { faultsOf } from './faults.js'

declare module '../../lib/permissions.js' {
  interface GuestPermissions {
    'system:client:list': true
    'system:client:add': true
    'system:client:edit': true
    'system:client:delete': true
  }
}

declare module '../../schemas/problems.js' {
  interface GuestProblems {
    client_exists: true
    too_many_clients: true
    access_denied: true
    host_not_protected: true
  }
}

declare module '../../schemas/enumerations.js' {
  interface GuestAuditActions {
    'client.add': true
    'client.change': true
    'client.secret': true
    'client.delete': true
    'grant.add': true
    'grant.end': true
  }
}

declare module '../../plugins/record/audit/audit.js' {
  interface GuestTargets {
    client: true
  }
}

export default {
  name: 'provider',
  settings: async () => ({ provider: (await import('./settings.js')).Provider }),
  faultsOf,
  problems: {
    client_exists: {
      status: 409,
      en: 'There is an application with this id already',
      zh: '已存在相同 ID 的应用',
    },
    too_many_clients: {
      status: 409,
      en: 'The tenant has as many applications as allowed (200): delete one that nobody needs first',
      zh: '租户的应用数量已达上限（200 个），请先删除不再需要的应用',
    },
    access_denied: { status: 403, en: 'You may not use this application', zh: '您无权使用该应用' },
    host_not_protected: {
      status: 403,
      en: 'No application is protected at this address, or the proxy does not say which address was asked for',
      zh: '此地址没有受保护的应用，或代理未说明所请求的地址',
    },
  },
  permissions: ['system:client:list', 'system:client:add', 'system:client:edit', 'system:client:delete'],
  auditActions: {
    'client.add': 'an application was added',
    'client.change': 'an application was changed',
    'client.secret': 'an application got a new secret',
    'client.delete': 'an application was deleted',
    'grant.add': 'somebody let an application know them',
    'grant.end': 'somebody ended what an application knows of them',
  },
  tables: async () => (await import('./tables.js')).tables,
  commands: () => import('./commands.js'),
  doctor: async (installation, db) => (await import('./doctor.js')).checkApplications(installation, db),
  hasPages: ({ provider }) => provider.enabled,
  // Applications can be prepared while nobody signs in to them.
  isOn: () => true,
  service: () => import('./service.js'),
  components: async () => Object.values((await import('./schemas.js')).components),
  routes: () => import('./index.js'),
} satisfies Guest
