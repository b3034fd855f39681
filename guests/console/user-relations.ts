import type {
  CompatTenantOfUsers,
  CompatUserTenant,
  CompatUserTenantsChange,
  CompatUserUnitsChange,
} from './schemas/relations.js'
import type { UserDetail } from '../../schemas/managed-user.js'
import { userTypes } from '../../schemas/user.js'
import { invalidField } from '../../lib/problem.js'
import { createLoopTime } from '../../lib/loop-time.js'
import type { Management } from '../../plugins/people/manage/management.js'
import type { Manager } from '../../plugins/people/manage/policy.js'
import { namesRow } from './named-row.js'
import { rules } from './rules.js'

const memberTypes = { administrator: 1, member: 2 }

const memberTypeOf = ({ userType }: UserDetail): number =>
  userType === userTypes.user ? memberTypes.member : memberTypes.administrator

const isOnly = (ids: number[], id: number): boolean => ids.length > 0 && ids.every((one) => one === id)

/**
 * Which tenants and units a user belongs to, which the front end lets people choose. Here a user has one tenant, and a tenant is
 * its own one unit: a choice that changes nothing is accepted, any other is refused with a sentence.
 */
export const createUserRelations = (management: Pick<Management, 'get'>) => {
  const loopTime = createLoopTime()

  /** Of the tenant fields of a request, that which is another than the user has. */
  const checkTenant = (
    user: UserDetail,
    { tenantIds, defaultTenantId, memberType }: CompatUserTenantsChange,
    tenantField = 'tenantIds',
  ): void => {
    if (tenantIds !== undefined && !isOnly(tenantIds, user.tenantId)) throw invalidField(tenantField, rules.otherTenant)
    if (defaultTenantId !== undefined && defaultTenantId !== user.tenantId)
      throw invalidField('defaultTenantId', rules.otherTenant)
    if (memberType !== undefined && memberType !== memberTypeOf(user))
      throw invalidField('memberType', rules.otherMemberType)
  }

  return {
    tenants: (actor: Manager, id: number): Promise<CompatUserTenant[]> =>
      namesRow(async () => {
        const user = await management.get(actor, id)
        const { tenantId, tenantName } = user
        return [{ tenantId, tenantName, isDefault: 1, status: 1, memberType: memberTypeOf(user) }]
      }),

    checkUnits: (actor: Manager, id: number, { orgIds, mainOrgId }: CompatUserUnitsChange): Promise<void> =>
      namesRow(async () => {
        const { tenantId } = await management.get(actor, id)
        if (orgIds !== undefined && !isOnly(orgIds, tenantId)) throw invalidField('orgIds', rules.otherUnit)
        if (mainOrgId !== undefined && mainOrgId !== tenantId) throw invalidField('mainOrgId', rules.otherUnit)
      }),

    checkTenants: (actor: Manager, id: number, sent: CompatUserTenantsChange): Promise<void> =>
      namesRow(async () => checkTenant(await management.get(actor, id), sent)),

    async checkTenantOfMany(actor: Manager, { userIds, tenantId, memberType }: CompatTenantOfUsers): Promise<void> {
      for (const [index, id] of userIds.entries()) {
        await loopTime.next()
        const user = await namesRow(() => management.get(actor, id), `userIds.${index}`)
        checkTenant(user, { tenantIds: [tenantId], memberType }, 'tenantId')
      }
    },
  }
}
