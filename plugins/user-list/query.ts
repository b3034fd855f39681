import type { UserFilter, UserOrder } from '../../db/user-list/index.js'
import type { Phone } from '../../db/repositories/users.js'
import { sortColumns, type SortColumn, type UserQuery } from '../../schemas/user.js'
import { invalidField } from '../../lib/problem.js'

/** To sort many users by all columns takes several times as long, and nobody reads further than the third. */
const maxSortColumns = 3
const defaultOrder: UserOrder[] = [{ column: 'createTime', direction: 'desc' }]

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** Public names in both spellings. Nothing that is not in here ever reaches SQL. */
const columnsByName = new Map<string, SortColumn>(
  sortColumns.flatMap((column) => [
    [column, column],
    [toSnakeCase(column), column],
  ]),
)

const split = (text: string) => text.split(',').map((part) => part.trim())
const isDirection = (text: string): text is UserOrder['direction'] => text === 'asc' || text === 'desc'

/** Reads `orderByColumn` and `isAsc` (interface 2.5). Throws `invalid_request` for what is not a column or direction. */
export const readOrder = ({ orderByColumn, isAsc }: Pick<UserQuery, 'orderByColumn' | 'isAsc'>): UserOrder[] => {
  const directions = isAsc === undefined ? [] : split(isAsc)
  if (!directions.every(isDirection)) throw invalidField('isAsc', 'unknown_direction')
  if (orderByColumn === undefined) return defaultOrder
  const names = split(orderByColumn)
  if (directions.length > 0 && directions.length !== names.length) throw invalidField('isAsc', 'unknown_direction')
  if (names.length > maxSortColumns) throw invalidField('orderByColumn', 'too_many_columns', { limit: maxSortColumns })
  const order = new Map<SortColumn, UserOrder['direction']>()
  for (const [index, name] of names.entries()) {
    const column = columnsByName.get(name)
    if (!column) throw invalidField('orderByColumn', 'unknown_column', { columns: sortColumns })
    // Named twice, a column sorts by its first mention.
    if (!order.has(column)) order.set(column, directions[index] ?? 'asc')
  }
  return [...order].map(([column, direction]) => ({ column, direction }))
}

const dayLength = 86_400_000
const dateForm = /^\d{4}-\d{2}-\d{2}$/
const timeForm = /^\d{4}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/** Epoch milliseconds of an RFC 3339 date-time or a date (UTC); with `endOfDay`, the last moment of the date. */
const readTime = (field: string, text: string | undefined, endOfDay: boolean): number | undefined => {
  if (text === undefined) return undefined
  // A query decodes the plus of +08:00 into a space.
  const repaired = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
  const isDate = dateForm.test(repaired)
  const time = isDate || timeForm.test(repaired) ? Date.parse(repaired.toUpperCase().replace(' ', 'T')) : NaN
  // Date.parse turns 30 February into March; RFC 3339 has no such day.
  const day = repaired.slice(0, 10)
  const isRealDay = !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day)
  if (Number.isNaN(time) || !isRealDay) throw invalidField(field, 'time')
  return isDate && endOfDay ? time + dayLength - 1 : time
}

/** A number that no phone has: what is not a phone number finds nobody. */
const noPhone = ''

/**
 * Turns the filters of a query into those of the repository. `visibleTenant` is the only tenant that the caller may
 * see, undefined for a system administrator; the tenant asked for narrows it and never widens it.
 */
export const readFilter = (
  query: UserQuery,
  visibleTenant: number | undefined,
  readPhone: (text: string) => Phone | undefined,
): UserFilter => ({
  username: query.username,
  realName: query.realName,
  keyword: query.keyword,
  phoneKey: query.phone === undefined ? undefined : (readPhone(query.phone)?.key ?? noPhone),
  email: query.email?.trim(),
  userStatus: query.userStatus,
  userType: query.userType,
  tenantIds: [visibleTenant, query.tenantId].filter((id) => id !== undefined),
  createTimeFrom: readTime('createTimeFrom', query.createTimeFrom, false),
  createTimeTo: readTime('createTimeTo', query.createTimeTo, true),
})
