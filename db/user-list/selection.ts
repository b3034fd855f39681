import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import { userTypes, type SortColumn } from '../../schemas/user.js'
import { matches, patternOf } from '../contains.js'
import { emailKey as emailKeyOf } from '../email-key.js'
import { fold } from '../fold.js'
import { shownColumns } from '../repositories/user-rows.js'
import type { Flag, Tables } from '../tables.js'

export interface UserFilter {
  /** Contained in the user name. */
  username?: string | undefined
  /** Contained in the real name. */
  realName?: string | undefined
  /** Contained in either. */
  keyword?: string | undefined
  /** Contained in either, or the user has one of the next two: a number (E.164) and an address. */
  search?: string | undefined
  searchPhoneKey?: string | undefined
  searchEmail?: string | undefined
  /** E.164. */
  phoneKey?: string | undefined
  email?: string | undefined
  userStatus?: number | undefined
  userType?: number | undefined
  hasSecondFactor?: boolean | undefined
  /** And has not come yet. */
  isInvited?: boolean | undefined
  hasSignedIn?: boolean | undefined
  /** The key of a role that the user has. */
  roleKey?: string | undefined
  /** All of these must hold: the caller's own tenant and the one asked for. */
  tenantIds: number[]
  /** Epoch milliseconds, inclusive. */
  createTimeFrom?: number | undefined
  createTimeTo?: number | undefined
}

export interface UserOrder {
  column: SortColumn
  direction: 'asc' | 'desc'
}

const tenantNameKey = sql<string>`(select tenant_name_key from tenants where tenants.id = users.tenant_id)`

/** Names, numbers and addresses are sorted in the form in which they are compared. */
const sortColumnsOfUsers = {
  ...shownColumns,
  username: 'username_key',
  realName: 'real_name_key',
  phone: 'phone_key',
  email: 'email_key',
} as const

const sortExpression = (column: SortColumn) =>
  column === 'tenantName' ? tenantNameKey : (`users.${sortColumnsOfUsers[column]}` as const)

export type UserSelection<O = unknown> = SelectQueryBuilder<Tables, 'users', O>

/** The values of a filter in the form in which columns are compared with them. Absent fields are left out. */
export interface ComparedValues extends Omit<
  UserFilter,
  | 'username'
  | 'realName'
  | 'keyword'
  | 'search'
  | 'email'
  | 'searchEmail'
  | 'hasSecondFactor'
  | 'isInvited'
  | 'hasSignedIn'
> {
  usernamePattern?: string
  realNamePattern?: string
  keywordPattern?: string
  emailKey?: string
  searchPattern?: string
  searchEmailKey?: string
  /** As it is stored: statements are compiled for the names of the values, and bind the values. */
  secondFactorFlag?: Flag
  invitedFlag?: Flag
  signedInFlag?: Flag
}

const toPattern = (text: string | undefined) => (text === undefined ? undefined : patternOf(fold(text)))

const toFlag = (value: boolean | undefined): Flag | undefined => (value === undefined ? undefined : value ? 1 : 0)

export const toCompared = ({
  username,
  realName,
  keyword,
  search,
  email,
  searchEmail,
  hasSecondFactor,
  isInvited,
  hasSignedIn,
  ...filter
}: UserFilter): ComparedValues => {
  const values = {
    ...filter,
    usernamePattern: toPattern(username),
    realNamePattern: toPattern(realName),
    keywordPattern: toPattern(keyword),
    secondFactorFlag: toFlag(hasSecondFactor),
    invitedFlag: toFlag(isInvited),
    signedInFlag: toFlag(hasSignedIn),
    emailKey: email === undefined ? undefined : emailKeyOf(email),
    searchPattern: toPattern(search),
    searchEmailKey: searchEmail === undefined ? undefined : emailKeyOf(searchEmail),
  }
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as unknown as ComparedValues
}

/** A number or address belongs to one user of each tenant: naming the tenants lets their unique indexes answer. */
const inSomeTenant = sql<boolean>`users.tenant_id in (select id from tenants)`

/**
 * From the user to the role: a million may have the role that is asked for, and a user has few. A user has only roles of its tenant;
 * saying so lets PostgreSQL read no roles of others.
 */
const hasRole = (roleKey: string) => sql<boolean>`exists (
  select 1 from user_roles join roles on roles.id = user_roles.role_id
  where user_roles.user_id = users.id and roles.tenant_id = users.tenant_id and roles.role_key = ${roleKey})`

/** Whether a time is there, as a flag is stored. */
const hasTime = (column: 'invited_time' | 'last_login_time') =>
  sql<Flag>`(case when ${sql.ref(`users.${column}`)} is null then 0 else 1 end)`

/** The one place that says whom a filter lets through. */
export const applyCompared = <O>(start: UserSelection<O>, values: ComparedValues): UserSelection<O> => {
  let query = start
  const { usernamePattern, realNamePattern, keywordPattern, phoneKey, emailKey } = values
  const { searchPattern, searchPhoneKey, searchEmailKey } = values
  for (const tenantId of values.tenantIds) query = query.where('users.tenant_id', '=', tenantId)
  if (usernamePattern !== undefined) query = query.where(matches('users.username_key', usernamePattern))
  if (realNamePattern !== undefined) query = query.where(matches('users.real_name_key', realNamePattern))
  if (keywordPattern !== undefined) {
    query = query.where((either) =>
      either.or([matches('users.username_key', keywordPattern), matches('users.real_name_key', keywordPattern)]),
    )
  }
  if (searchPattern !== undefined) {
    query = query.where((either) =>
      either.or([
        matches('users.username_key', searchPattern),
        matches('users.real_name_key', searchPattern),
        ...(searchPhoneKey === undefined ? [] : [either('users.phone_key', '=', searchPhoneKey)]),
        ...(searchEmailKey === undefined ? [] : [either('users.email_key', '=', searchEmailKey)]),
      ]),
    )
  }
  if (phoneKey !== undefined) query = query.where('users.phone_key', '=', phoneKey)
  if (emailKey !== undefined) query = query.where('users.email_key', '=', emailKey)
  if ((phoneKey ?? emailKey) !== undefined && values.tenantIds.length === 0) query = query.where(inSomeTenant)
  if (values.userStatus !== undefined) query = query.where('users.user_status', '=', values.userStatus)
  if (values.userType !== undefined) query = query.where('users.user_type', '=', values.userType)
  // A service account neither has a second factor nor lacks one.
  if (values.secondFactorFlag !== undefined)
    query = query
      .where('users.has_second_factor', '=', values.secondFactorFlag)
      .where('users.user_type', '!=', userTypes.service)
  if (values.invitedFlag !== undefined) query = query.where(hasTime('invited_time'), '=', values.invitedFlag)
  if (values.signedInFlag !== undefined) query = query.where(hasTime('last_login_time'), '=', values.signedInFlag)
  if (values.roleKey !== undefined) query = query.where(hasRole(values.roleKey))
  if (values.createTimeFrom !== undefined) query = query.where('users.create_time', '>=', values.createTimeFrom)
  if (values.createTimeTo !== undefined) query = query.where('users.create_time', '<=', values.createTimeTo)
  return query
}

/** The one place that says who comes before whom. A value that is absent sorts as the smallest, on every engine. */
export const applyOrder = <O>(start: UserSelection<O>, order: UserOrder[]): UserSelection<O> => {
  let query = start
  for (const { column, direction } of order) {
    query = query.orderBy(sortExpression(column), (item) =>
      direction === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast(),
    )
  }
  // Ties always by id, in the direction of the last column, so that one index serves both.
  return query.orderBy('users.id', order.at(-1)?.direction ?? 'asc')
}

export const selectUsers = (db: Kysely<Tables>) => db.selectFrom('users')
