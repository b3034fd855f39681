import type { RowOf } from './list/use-list.js'
import { shortTime } from '../shared/language/language.js'
import { words } from './words.js'

export type UserRow = RowOf<'GET /system/user/page'>

const kinds = { 0: 'off', 1: '', 2: 'locked' } as const

export const Status = ({ of: status }: { of: UserRow['userStatus'] }) => (
  <span class={`status ${kinds[status]}`}>{words.common.statuses[status]}</span>
)

export const lastSignIn = ({ lastLoginTime }: Pick<UserRow, 'lastLoginTime'>): string =>
  lastLoginTime === null ? words.users.never : shortTime(new Date(lastLoginTime))
