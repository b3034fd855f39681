import type { UserRecord } from '../../schemas/user.js'
import { joinCell } from '../../lib/csv-cells.js'

type Cell = string | number | null
/** Writes a time as a file shows it. */
export type WriteTime = (time: string) => string

/**
 * The columns of an export, in order, by the names that an import reads. An import ignores the columns that nobody can set:
 * `id` and those after `remark`.
 */
export const exportColumns: Record<string, (user: UserRecord, writeTime: WriteTime) => Cell> = {
  id: ({ id }) => id,
  username: ({ username }) => username,
  realName: ({ realName }) => realName,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  roles: ({ roleKeys }) => joinCell(roleKeys),
  userType: ({ userType }) => userType,
  tenant: ({ tenantName }) => tenantName,
  userStatus: ({ userStatus }) => userStatus,
  gender: ({ gender }) => gender,
  remark: ({ remark }) => remark,
  avatar: ({ avatar }) => avatar,
  lastLoginTime: ({ lastLoginTime }, writeTime) => (lastLoginTime === null ? null : writeTime(lastLoginTime)),
  lastLoginIp: ({ lastLoginIp }) => lastLoginIp,
  loginCount: ({ loginCount }) => loginCount,
  createTime: ({ createTime }, writeTime) => writeTime(createTime),
  updateTime: ({ updateTime }, writeTime) => writeTime(updateTime),
}

const readers = Object.values(exportColumns)

export const cellsOf = (user: UserRecord, writeTime: WriteTime): Cell[] => readers.map((read) => read(user, writeTime))
