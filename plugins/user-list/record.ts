import type { ListedUser } from '../../db/user-list/index.js'
import type { UserRecord } from '../../schemas/user.js'
import { maskEmail, maskPhone } from './mask.js'
import { toTime } from './time.js'

const toRecord = (user: ListedUser): UserRecord => ({
  id: user.id,
  tenantId: user.tenantId,
  tenantName: user.tenantName,
  username: user.username,
  realName: user.realName,
  userType: user.userType,
  gender: user.gender,
  phone: user.phone === null ? null : maskPhone(user.phone),
  email: user.email === null ? null : maskEmail(user.email),
  avatar: user.avatar,
  userStatus: user.userStatus,
  forcePasswordChange: user.forcePasswordChange,
  roleKeys: user.roleKeys,
  remark: user.remark,
  lastLoginTime: user.lastLoginTime === null ? null : toTime(user.lastLoginTime),
  lastLoginIp: user.lastLoginIp,
  loginCount: user.loginCount,
  createTime: toTime(user.createTime),
  updateTime: toTime(user.updateTime),
})

/** The JSON of the record of a user (schema `UserRecord`). */
export const render = (user: ListedUser): string => JSON.stringify(toRecord(user))

export const module = import.meta.url
