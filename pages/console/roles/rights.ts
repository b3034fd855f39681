import { covers, coversAll, type Permission } from '../../../client/index.js'
import type { Operations } from '../../../client/index.js'
import { useConsole } from '../console.js'

export type Role = Operations['GET /system/role/{key}']['data']

/** As `userType` has it: neither administrator of the system nor of a tenant. */
const plainUser = 2

/** What the person may do with roles. The server decides; this is what the page offers. */
export const useRoleRights = () => {
  const { me, may } = useConsole()
  const isBound = me.userType === plainUser
  const mayChange = ({ key, permissions }: Role): boolean =>
    !isBound || (!me.roleKeys.includes(key) && coversAll(me.permissions, permissions))
  return {
    /** Whether the person gives only what it has itself. */
    isBound,
    mayGive: (permission: Permission): boolean => !isBound || me.permissions.some(covers(permission)),
    /** Whether the person has the permission to change roles, but not this one. */
    isKept: (role: Role): boolean => may('system:role:edit') && !mayChange(role),
    mayAdd: may('system:role:add'),
    mayEdit: (role: Role): boolean => may('system:role:edit') && mayChange(role),
    mayDelete: (role: Role): boolean => may('system:role:delete') && mayChange(role),
    mayRequireFactor: may('system:role:edit'),
  }
}
