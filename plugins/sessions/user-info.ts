import type { SessionOwner } from '../../db/repositories/sessions.js'
import { shownColumns } from '../../db/repositories/user-rows.js'
import { Prepared } from '../../schemas/prepared.js'
import { UserInfo, userTypes } from '../../schemas/user.js'

type OwnField = keyof UserInfo & keyof typeof shownColumns
type OwnFields = Pick<SessionOwner['user'], OwnField>

/** Fields of the schema `UserInfo` that are columns of a user. */
const ownFields = Object.keys(UserInfo.properties).filter((name): name is OwnField => name in shownColumns)

const pickOwn = (user: OwnFields): OwnFields => {
  const picked: Partial<Record<OwnField, unknown>> = {}
  for (const name of ownFields) picked[name] = user[name]
  return picked as OwnFields
}

/** The `UserInfo` of a signed-in user. The schema decides which columns are shown. */
export const toUserInfo = ({ session, user, tenant, grants }: SessionOwner): UserInfo => ({
  ...pickOwn(user),
  userId: user.id,
  tenantId: tenant.id,
  tenantName: tenant.name,
  roleIds: grants.roleIds,
  roleKeys: grants.roleKeys,
  permissions: grants.permissions,
  admin: user.userType === userTypes.systemAdmin,
  tenantAdmin: user.userType === userTypes.tenantAdmin,
  userClient: session.userClient,
  loginTime: session.createTime,
  loginIp: session.loginIp,
  createTime: new Date(user.createTime).toISOString(),
})

const prepared = new WeakMap<SessionOwner, Prepared<UserInfo>>()

/** The same as JSON. A cached owner is replaced when anything of it changes, so its JSON is made once. */
export const prepareUserInfo = (owner: SessionOwner): Prepared<UserInfo> => {
  const known = prepared.get(owner) ?? new Prepared<UserInfo>(JSON.stringify(toUserInfo(owner)))
  prepared.set(owner, known)
  return known
}
