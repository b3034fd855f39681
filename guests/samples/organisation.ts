import type { Database } from '../../db/index.js'
import { defaultTenantId } from '../../schemas/login.js'
import { reference } from './person.js'

/** Names of further tenants. Tenants beyond the list are numbered. */
const tenantNames = [
  '华东分公司',
  'Northwind',
  '华南分公司',
  'Contoso',
  '研发中心',
  'Fabrikam',
  '客户服务部',
  'Tailspin',
]

/** Roles by key. None of them may change anything. */
const roles: Record<string, { name: string; permissions: string[] }> = {
  member: { name: '成员', permissions: [] },
  editor: { name: 'Editor', permissions: ['content:article:list'] },
  auditor: { name: '审计员', permissions: ['system:user:list'] },
}

export interface Organisation {
  tenantIds: number[]
  /** Id of a role by tenant and key. */
  roleId: (tenantId: number, key: string) => number
}

/** Returns the default tenant and further ones, `count` in all, each with its roles. Missing ones are added. */
export const prepareOrganisation = (db: Database, count: number): Promise<Organisation> =>
  db.transaction(async (repositories) => {
    const tenantIds = [defaultTenantId]
    for (let index = 0; tenantIds.length < count; index++) {
      const name = tenantNames[index] ?? `Tenant ${index + 2}`
      const tenant = (await repositories.tenants.findByName(name)) ?? (await repositories.tenants.add(name, reference))
      tenantIds.push(tenant.id)
    }
    const roleIds = new Map<string, number>()
    for (const tenantId of tenantIds) {
      for (const [key, { name, permissions }] of Object.entries(roles)) {
        let role = await repositories.roles.find(tenantId, key)
        if (!role) {
          role = await repositories.roles.add(tenantId, key, name, reference)
          await repositories.roles.replacePermissions(role.id, permissions)
        }
        roleIds.set(`${tenantId}:${key}`, role.id)
      }
    }
    return {
      tenantIds,
      roleId(tenantId, key) {
        const id = roleIds.get(`${tenantId}:${key}`)
        if (id === undefined) throw new Error(`There is no role ${key} in tenant ${tenantId}`)
        return id
      },
    }
  })
