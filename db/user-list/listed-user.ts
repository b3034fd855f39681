/** What the list shows of a user. */
export interface ListedUser {
  id: number
  tenantId: number
  tenantName: string
  username: string
  realName: string
  userType: number
  gender: number
  phone: string | null
  email: string | null
  avatar: string | null
  userStatus: number
  forcePasswordChange: boolean
  remark: string | null
  /** Epoch milliseconds, as all times here. */
  lastLoginTime: number | null
  lastLoginIp: string | null
  loginCount: number
  createTime: number
  updateTime: number
  roleKeys: string[]
}

/** The columns of `ListedRow`, in its order. */
export const listedColumns = [
  'users.id',
  'users.tenant_id',
  'users.username',
  'users.real_name',
  'users.user_type',
  'users.gender',
  'users.phone',
  'users.email',
  'users.avatar',
  'users.user_status',
  'users.force_password_change',
  'users.remark',
  'users.last_login_time',
  'users.last_login_ip',
  'users.login_count',
  'users.create_time',
  'users.update_time',
] as const

/** A row as an array: for ten rows of seventeen columns each, objects with names cost half as much again. */
export type ListedRow = [
  id: number,
  tenantId: number,
  username: string,
  realName: string,
  userType: number,
  gender: number,
  phone: string | null,
  email: string | null,
  avatar: string | null,
  userStatus: number,
  forcePasswordChange: number,
  remark: string | null,
  lastLoginTime: number | null,
  lastLoginIp: string | null,
  loginCount: number,
  createTime: number,
  updateTime: number,
]

export const toListedUser = (row: ListedRow, tenantName: string, roleKeys: string[]): ListedUser => ({
  id: row[0],
  tenantId: row[1],
  tenantName,
  username: row[2],
  realName: row[3],
  userType: row[4],
  gender: row[5],
  phone: row[6],
  email: row[7],
  avatar: row[8],
  userStatus: row[9],
  forcePasswordChange: row[10] === 1,
  remark: row[11],
  lastLoginTime: row[12],
  lastLoginIp: row[13],
  loginCount: row[14],
  createTime: row[15],
  updateTime: row[16],
  roleKeys,
})
