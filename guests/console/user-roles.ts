import type { Database } from '../../db/index.js'
import type { CompatOrgBinding, CompatOrgQuery, CompatOrgRoles } from './schemas/units.js'
import type { UserDetail } from '../../schemas/managed-user.js'
import { invalidField } from '../../lib/problem.js'
import type { Management } from '../../plugins/people/manage/management.js'
import type { Manager } from '../../plugins/people/manage/policy.js'
import { namesRow } from './named-row.js'
import { rules } from './rules.js'

const isUnitOf = ({ tenantId }: UserDetail, { orgId = tenantId, tenantId: named = tenantId }: CompatOrgQuery) =>
  orgId === tenantId && named === tenantId

/** Roles by unit: a tenant is its own one unit. */
export const createRoleForms = (
  { roles }: Pick<Database, 'roles'>,
  management: Pick<Management, 'get' | 'setRoles'>,
) => {
  const rolesOf = ({ tenantId, roleKeys }: UserDetail) => roles.findMany(tenantId, roleKeys)

  return {
    bindings: (actor: Manager, id: number, query: CompatOrgQuery): Promise<CompatOrgBinding[]> =>
      namesRow(async () => {
        const user = await management.get(actor, id)
        if (!isUnitOf(user, query)) return []
        const roleNames = (await rolesOf(user)).map(({ name }) => name)
        return [{ orgId: user.tenantId, orgName: user.tenantName, isMain: true, roleNames }]
      }),

    ids: (actor: Manager, id: number, query: CompatOrgQuery): Promise<number[]> =>
      namesRow(async () => {
        const user = await management.get(actor, id)
        return isUnitOf(user, query) ? (await rolesOf(user)).map((role) => role.id) : []
      }),

    /** Replaces the roles of a user. */
    replace: (actor: Manager, id: number, { roleIds, ...unit }: CompatOrgRoles): Promise<void> =>
      namesRow(async () => {
        const user = await management.get(actor, id)
        if (!isUnitOf(user, unit)) throw invalidField('orgId', rules.unknownUnit)
        const found = await roles.findManyById(user.tenantId, roleIds)
        const known = new Set(found.map((role) => role.id))
        const unknown = roleIds.filter((roleId) => !known.has(roleId))
        if (unknown.length > 0) throw invalidField('roleIds', rules.unknownRoles, { ids: unknown })
        await management.setRoles(
          actor,
          id,
          found.map(({ key }) => key),
          'roleIds',
        )
      }),
  }
}
