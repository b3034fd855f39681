import type { Insertable, Selectable, Updateable } from 'kysely'
import { userStatuses } from '../../schemas/user.js'
import { emailKey } from '../email-key.js'
import { fold } from '../fold.js'
import type { Flag, TenantTable, UserTable } from '../tables.js'
import type { Tenant } from './tenants.js'

/**
 * The fields of a user that the list may show, and their columns. This is the only list of them: code that reads, sorts
 * and shows users derives from it.
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
  hasSecondFactor: 'has_second_factor',
  bannedUntil: 'banned_until',
  invitedTime: 'invited_time',
  lastLoginTime: 'last_login_time',
  lastLoginIp: 'last_login_ip',
  loginCount: 'login_count',
  createTime: 'create_time',
  updateTime: 'update_time',
} as const satisfies Record<string, keyof UserTable>

/** These columns for a query. */
export const listedColumns = Object.values(shownColumns).map((column) => `users.${column}` as const)

/** Characters of a picture in a data URI that a page of the list shows. */
const maxListedPicture = 2000

/** The avatar as a page of the list shows it, in the SQL of all engines. `octet_length` does not read a long text. */
export const listedAvatar = `case when octet_length(users.avatar) > ${maxListedPicture}
  and lower(substr(users.avatar, 1, 5)) = 'data:' then null else users.avatar end`

type ListedColumn = (typeof listedColumns)[number]
export const columnsWithoutAvatar = listedColumns.filter(
  (column): column is Exclude<ListedColumn, 'users.avatar'> => column !== 'users.avatar',
)

type ShownColumns = typeof shownColumns
type ShownField = keyof ShownColumns
type UserRow = Selectable<UserTable>
type Field<Value> = Value extends Flag ? boolean : Value

/** Times are epoch milliseconds; the phone number is as entered. */
export type ShownUser = { -readonly [Name in keyof ShownColumns]: Field<UserRow[ShownColumns[Name]]> }
export type ShownRow = Pick<UserRow, ShownColumns[ShownField]>

type TextColumn = {
  [Column in keyof ShownRow]: ShownRow[Column] extends string | null ? Column : never
}[keyof ShownRow]
/** Which of these columns are texts; the others are numbers. One that is missing here does not compile. */
export const textColumns: Record<TextColumn, true> = {
  username: true,
  real_name: true,
  phone: true,
  email: true,
  avatar: true,
  remark: true,
  last_login_ip: true,
}

/**
 * The fields that a change of a user may set, and that the audit trail keeps. This is the only list of them: what changes, compares and
 * records users derives from it.
 */
export const editableFields = [
  'username',
  'realName',
  'userType',
  'gender',
  'phone',
  'email',
  'avatar',
  'userStatus',
  'remark',
] as const satisfies readonly ShownField[]
type EditableField = (typeof editableFields)[number]
/** Fields with a second column for the form in which they are compared. */
type FieldWithKey = 'username' | 'realName' | 'phone' | 'email'
const fieldsWithKey: readonly EditableField[] = ['username', 'realName', 'phone', 'email'] satisfies FieldWithKey[]
const plainFields = editableFields.filter(
  (name): name is Exclude<EditableField, FieldWithKey> => !fieldsWithKey.includes(name),
)

export interface User extends ShownUser {
  /** E.164. */
  phoneKey: string | null
  passwordHash: string | null
  /** When the password was set; null when unknown. */
  passwordTime: number | null
  banReason: string | null
  /** Of the last sign-in; null when unknown. */
  language: string | null
}

/** A phone number as entered and in E.164 form. */
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
  /** Default: 0, unknown. */
  gender?: number | undefined
  /** Default: normal. */
  userStatus?: number | undefined
  remark?: string | undefined
  avatar?: string | undefined
  /** Absent for a user who is not invited. */
  invitedTime?: number | undefined
}

/** Changed fields of a user. Absent fields stay as they are, null clears a field. */
export type UserChange = { [Name in Exclude<EditableField, 'phone'>]?: ShownUser[Name] | undefined } & {
  phone?: Phone | null | undefined
}

/** A user with a history, for imports. Absent fields are those of a new account. */
export interface UserWithHistory extends NewUser {
  lastLoginTime?: number
  lastLoginIp?: string
  loginCount?: number
  createTime: number
  updateTime?: number
}

// Not a loop over the columns: that takes several times as long, for each user of each page.
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
  hasSecondFactor: row.has_second_factor === 1,
  bannedUntil: row.banned_until,
  invitedTime: row.invited_time,
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
  banReason: row.ban_reason,
  language: row.language,
})

/** Only what the list may show: a user also has a password hash. */
export const shownOf = (user: User): ShownUser => {
  const names = Object.keys(shownColumns) as ShownField[]
  return Object.fromEntries(names.map((name) => [name, user[name]])) as unknown as ShownUser
}

/** The tenant of a user. */
export type UserTenant = Omit<Tenant, 'createTime'>

/** Of the tenant of a user, beside those of the user. */
export const tenantColumns = ['tenants.tenant_name', 'tenants.enabled', 'tenants.second_factor_required'] as const

type TenantRow = Pick<Selectable<TenantTable>, 'tenant_name' | 'enabled' | 'second_factor_required'> &
  Pick<UserRow, 'tenant_id'>

export const toUserTenant = (row: TenantRow): UserTenant => ({
  id: row.tenant_id,
  name: row.tenant_name,
  enabled: row.enabled === 1,
  secondFactorRequired: row.second_factor_required === 1,
})

// Required, so that a column without a line does not compile.
export const toUserRow = (user: UserWithHistory): Required<Omit<Insertable<UserTable>, 'id'>> => ({
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
  email_key: user.email === undefined ? null : emailKey(user.email),
  avatar: user.avatar ?? null,
  user_status: user.userStatus ?? userStatuses.normal,
  password_hash: user.passwordHash,
  force_password_change: user.forcePasswordChange ? 1 : 0,
  password_time: user.createTime,
  remark: user.remark ?? null,
  has_second_factor: 0,
  banned_until: null,
  ban_reason: null,
  invited_time: user.invitedTime ?? null,
  language: null,
  last_login_time: user.lastLoginTime ?? null,
  last_login_ip: user.lastLoginIp ?? null,
  login_count: user.loginCount ?? 0,
  create_time: user.createTime,
  update_time: user.updateTime ?? user.createTime,
})

/** Kysely leaves out columns that are undefined. */
export const toUserChange = ({ username, realName, phone, email, ...change }: UserChange): Updateable<UserTable> => ({
  ...Object.fromEntries(plainFields.map((name) => [shownColumns[name], change[name]])),
  username,
  username_key: username === undefined ? undefined : fold(username),
  real_name: realName,
  real_name_key: realName === undefined ? undefined : fold(realName),
  phone: phone === null ? null : phone?.display,
  phone_key: phone === null ? null : phone?.key,
  email,
  email_key: email == null ? email : emailKey(email),
})
