import type { Insertable, Selectable } from 'kysely'
import { userStatuses } from '../../schemas/user.js'
import { fold } from '../fold.js'
import type { Flag, UserTable } from '../tables.js'

/**
 * What the list may show of a user: the fields and their columns. This is the one list of them; what reads, sorts and
 * shows users follows it.
 */
export const shownColumns = {
  id: 'id',
  tenantId: 'tenant_id',
  username: 'username',
  realName: 'real_name',
  userType: 'user_type',
  gender: 'gender',
  phone: 'phone',
  email: 'email',
  avatar: 'avatar',
  userStatus: 'user_status',
  forcePasswordChange: 'force_password_change',
  remark: 'remark',
  lastLoginTime: 'last_login_time',
  lastLoginIp: 'last_login_ip',
  loginCount: 'login_count',
  createTime: 'create_time',
  updateTime: 'update_time',
} as const satisfies Record<string, keyof UserTable>

type ShownColumns = typeof shownColumns
type UserRow = Selectable<UserTable>
type Field<Value> = Value extends Flag ? boolean : Value

/** Times are epoch milliseconds, and a phone number is as people write it. */
export type ShownUser = { -readonly [Name in keyof ShownColumns]: Field<UserRow[ShownColumns[Name]]> }
export type ShownRow = Pick<UserRow, ShownColumns[keyof ShownColumns]>

export interface User extends ShownUser {
  /** E.164. */
  phoneKey: string | null
  passwordHash: string | null
  /** When the password was set; null when that is not known. */
  passwordTime: number | null
}

/** A phone number in its two forms: as people write it, and E.164. */
export interface Phone {
  display: string
  key: string
}

export interface NewUser {
  tenantId: number
  username: string
  realName: string
  userType: number
  phone?: Phone | undefined
  email?: string | undefined
  passwordHash: string | null
  forcePasswordChange: boolean
  /** Absent means 0, unknown. */
  gender?: number | undefined
  /** Absent means normal. */
  userStatus?: number | undefined
  remark?: string | undefined
}

/** A user with a past. What is absent is as in a new account. */
export interface UserWithHistory extends NewUser {
  lastLoginTime?: number
  lastLoginIp?: string
  loginCount?: number
  createTime: number
  updateTime?: number
}

// Written out: a loop over the columns takes several times as long, for each user of each page.
export const toShownUser = (row: ShownRow): ShownUser => ({
  id: row.id,
  tenantId: row.tenant_id,
  username: row.username,
  realName: row.real_name,
  userType: row.user_type,
  gender: row.gender,
  phone: row.phone,
  email: row.email,
  avatar: row.avatar,
  userStatus: row.user_status,
  forcePasswordChange: row.force_password_change === 1,
  remark: row.remark,
  lastLoginTime: row.last_login_time,
  lastLoginIp: row.last_login_ip,
  loginCount: row.login_count,
  createTime: row.create_time,
  updateTime: row.update_time,
})

export const toUser = (row: UserRow): User => ({
  ...toShownUser(row),
  phoneKey: row.phone_key,
  passwordHash: row.password_hash,
  passwordTime: row.password_time,
})

/** What a user needs to know of the tenant. */
export interface UserTenant {
  id: number
  name: string
  enabled: boolean
}

export const toUserTenant = (row: { tenant_id: number; tenant_name: string; enabled: number }): UserTenant => ({
  id: row.tenant_id,
  name: row.tenant_name,
  enabled: row.enabled === 1,
})

export const toUserRow = (user: UserWithHistory): Insertable<UserTable> => ({
  tenant_id: user.tenantId,
  username: user.username,
  username_key: fold(user.username),
  real_name: user.realName,
  real_name_key: fold(user.realName),
  user_type: user.userType,
  gender: user.gender ?? 0,
  phone: user.phone?.display ?? null,
  phone_key: user.phone?.key ?? null,
  email: user.email ?? null,
  email_key: user.email === undefined ? null : fold(user.email),
  avatar: null,
  user_status: user.userStatus ?? userStatuses.normal,
  password_hash: user.passwordHash,
  force_password_change: user.forcePasswordChange ? 1 : 0,
  password_time: user.createTime,
  remark: user.remark ?? null,
  last_login_time: user.lastLoginTime ?? null,
  last_login_ip: user.lastLoginIp ?? null,
  login_count: user.loginCount ?? 0,
  create_time: user.createTime,
  update_time: user.updateTime ?? user.createTime,
})
