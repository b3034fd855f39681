import type { ListedUser } from '../../../db/user-list/index.js'
import type { UserRecord } from '../../../schemas/user.js'
import { maskEmail, maskPhone } from '../../../lib/mask.js'
import { toTime } from '../../../lib/time-text.js'

/** Nothing is shown that the schema does not name: such a field does not compile. */
type Unnamed = Exclude<keyof ListedUser, keyof UserRecord>

/** What the list shows of a user (schema `UserRecord`): phone and e-mail masked, times as text. */
export const toRecord = (user: ListedUser): UserRecord & Record<Unnamed, never> => ({
  ...user,
  phone: user.phone === null ? null : maskPhone(user.phone),
  email: user.email === null ? null : maskEmail(user.email),
  lastLoginTime: user.lastLoginTime === null ? null : toTime(user.lastLoginTime),
  createTime: toTime(user.createTime),
  updateTime: toTime(user.updateTime),
})
