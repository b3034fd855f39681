import type { SessionOwner } from '../../db/sessions.js'
import { userTypes, type UserInfo } from '../../schemas/user.js'

/** The signed-in user as the client sees it: the one place that decides what of an account is shown to its owner. */
export const toUserInfo = ({ session, user, tenant, grants }: SessionOwner): UserInfo => ({
  userId: user.id,
  tenantId: tenant.id,
  tenantName: tenant.name,
  username: user.username,
  realName: user.realName,
  userType: user.userType,
  userStatus: user.userStatus,
  gender: user.gender,
  phone: user.phone,
  email: user.email,
  avatar: user.avatar,
  forcePasswordChange: user.forcePasswordChange,
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
