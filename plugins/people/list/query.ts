import type { UserFilter, UserOrder } from '../../../db/user-list/index.js'
import type { Phone } from '../../../db/repositories/users.js'
import { sortColumns, type UserQuery } from '../../../schemas/user.js'
import { createReadOrder } from '../../../lib/read-order.js'
import type { TimeZone } from '../../../lib/time-zone.js'

/** Reads `orderByColumn` and `isAsc` of the user list. */
export const readOrder: (query: Pick<UserQuery, 'orderByColumn' | 'isAsc'>) => UserOrder[] = createReadOrder(
  sortColumns,
  [{ column: 'createTime', direction: 'desc' }],
)

/** A number that no phone has: what is not a phone number finds nobody. */
const noPhone = ''

/** What turns texts of a filter into what is compared. */
export interface FilterReaders {
  readPhone: (text: string) => Phone | undefined
  /** Of dates without a time. */
  timeZone: Pick<TimeZone, 'readTime'>
}

/** The contact that somebody may mean by a text: an address has `@`, and no number has it. */
const readContact = (
  text: string,
  readPhone: FilterReaders['readPhone'],
): Pick<UserFilter, 'searchPhoneKey' | 'searchEmail'> =>
  text.includes('@') ? { searchEmail: text } : { searchPhoneKey: readPhone(text)?.key }

const readYesOrNo = (word: 'true' | 'false' | undefined): boolean | undefined =>
  word === undefined ? undefined : word === 'true'

/**
 * Turns the filters of a query into those of the repository. `visibleTenant` is the only tenant that the caller may
 * see, undefined for a system administrator; the tenant asked for narrows it and never widens it.
 * `isSearchingContacts` says whether the caller may find by contacts what he searches for.
 */
export const readFilter = (
  query: UserQuery,
  visibleTenant: number | undefined,
  isSearchingContacts: boolean,
  { readPhone, timeZone }: FilterReaders,
): UserFilter => ({
  username: query.username,
  realName: query.realName,
  keyword: query.keyword,
  search: query.search,
  ...(query.search !== undefined && isSearchingContacts && readContact(query.search, readPhone)),
  phoneKey: query.phone === undefined ? undefined : (readPhone(query.phone)?.key ?? noPhone),
  email: query.email,
  userStatus: query.userStatus,
  userType: query.userType,
  roleKey: query.role,
  hasSecondFactor: readYesOrNo(query.hasSecondFactor),
  isInvited: readYesOrNo(query.invited),
  hasSignedIn: readYesOrNo(query.hasSignedIn),
  tenantIds: [visibleTenant, query.tenantId].filter((id) => id !== undefined),
  createTimeFrom: timeZone.readTime('createTimeFrom', query.createTimeFrom, false),
  createTimeTo: timeZone.readTime('createTimeTo', query.createTimeTo, true),
})
