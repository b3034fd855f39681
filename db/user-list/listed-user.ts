import { shownColumns, toShownUser, type ShownRow, type ShownUser } from '../repositories/user-rows.js'

/** What the list shows of a user. */
export interface ListedUser extends ShownUser {
  tenantName: string
  roleKeys: string[]
}

export type ListedRow = ShownRow

export const listedColumns = Object.values(shownColumns).map((column) => `users.${column}` as const)

export const toListedUser = (row: ListedRow, tenantName: string, roleKeys: string[]): ListedUser => ({
  ...toShownUser(row),
  tenantName,
  roleKeys,
})
