import type { ManagedUser } from './change.js'

interface Described {
  user: ManagedUser['user']
  grants: Pick<ManagedUser['grants'], 'roleKeys'>
}

/** What the audit trail keeps of an account: everything that can be changed, but no password. */
export const valuesOf = ({ user, grants }: Described) => ({
  username: user.username,
  realName: user.realName,
  userType: user.userType,
  gender: user.gender,
  phone: user.phone,
  email: user.email,
  avatar: user.avatar,
  userStatus: user.userStatus,
  remark: user.remark,
  forcePasswordChange: user.forcePasswordChange,
  roleKeys: grants.roleKeys,
})

export const targetOf = ({ user }: Pick<ManagedUser, 'user'>) => ({
  type: 'user' as const,
  id: user.id,
  name: user.username,
  tenantId: user.tenantId,
})
