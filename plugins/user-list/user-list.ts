import { pageResult, toPage } from '../../db/paging.js'
import type { SessionOwner } from '../../db/sessions.js'
import type { ListedUser, UserListRepository } from '../../db/user-list.js'
import type { Phone } from '../../db/users.js'
import { userTypes, type UserPage, type UserQuery, type UserRecord } from '../../schemas/user.js'
import { maskEmail, maskPhone } from './mask.js'
import { readFilter, readOrder } from './query.js'

const toTime = (time: number) => new Date(time).toISOString()

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

export const createUserList = (userList: UserListRepository, readPhone: (text: string) => Phone | undefined) => ({
  /** A page of the users that the caller may see (interface 4.2). Throws `invalid_request`. */
  async page(caller: SessionOwner, query: UserQuery): Promise<UserPage> {
    const visibleTenant = caller.user.userType === userTypes.systemAdmin ? undefined : caller.tenant.id
    const filter = readFilter(query, visibleTenant, readPhone)
    const order = readOrder(query)
    const page = toPage(query)
    const total = await userList.count(filter)
    const users = page.offset < total ? await userList.page(filter, order, page) : []
    return pageResult(users.map(toRecord), total, page)
  },
})
