import { banEnd } from '../../../db/repositories/user-bans.js'
import type { ListedUser } from '../../../db/user-list/index.js'
import type { UserRecord } from '../../../schemas/user.js'
import { maskEmail, maskPhone } from '../../../lib/mask.js'
import { toTime } from '../../../lib/time-text.js'

/** Nothing is shown that the schema does not name: such a field does not compile. */
type Unnamed = Exclude<keyof ListedUser, keyof UserRecord>

const toTimeOrNull = (time: number | null): string | null => (time === null ? null : toTime(time))

/** What the list shows of a user (schema `UserRecord`) at the time `now`: phone and e-mail masked, times as text. */
export const toRecord = (user: ListedUser, now: number): UserRecord & Record<Unnamed, never> => ({
  ...user,
  bannedUntil: toTimeOrNull(banEnd(user, now)),
  invitedTime: toTimeOrNull(user.invitedTime),
  phone: user.phone === null ? null : maskPhone(user.phone),
  email: user.email === null ? null : maskEmail(user.email),
  lastLoginTime: toTimeOrNull(user.lastLoginTime),
  createTime: toTime(user.createTime),
  updateTime: toTime(user.updateTime),
})
