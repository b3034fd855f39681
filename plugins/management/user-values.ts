import type { User, UserChange } from '../../db/repositories/users.js'
import { areSame } from '../../lib/same-items.js'
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

/** A record, so that a further field of `UserChange` does not compile without a line here. */
const compared: Record<Exclude<keyof UserChange, 'phone'>, true> = {
  username: true,
  realName: true,
  userType: true,
  gender: true,
  email: true,
  avatar: true,
  userStatus: true,
  remark: true,
}
const comparedFields = Object.keys(compared) as (keyof typeof compared)[]

const isSamePhone = ({ phone, phoneKey }: User, wanted: UserChange['phone']): boolean =>
  wanted === undefined || ((wanted?.key ?? null) === phoneKey && (wanted?.display ?? null) === phone)

/** Whether a change leaves an account as it is. Absent fields stay. */
export const changesNothing = (
  { user, grants }: ManagedUser,
  change: UserChange,
  roleKeys: string[] = grants.roleKeys,
): boolean =>
  comparedFields.every((name) => change[name] === undefined || change[name] === user[name]) &&
  isSamePhone(user, change.phone) &&
  areSame(roleKeys, grants.roleKeys)

export const targetOf = ({ user }: Pick<ManagedUser, 'user'>) => ({
  type: 'user' as const,
  id: user.id,
  name: user.username,
  tenantId: user.tenantId,
})
