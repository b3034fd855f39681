import type { UserRecord } from '../../schemas/user.js'
import type { LabelledField } from '../../schemas/value-labels.js'
import { joinCell } from '../../lib/csv-cells.js'

type Cell = string | number | null
/** Writes what files show in different ways. */
export interface CellWriters {
  time: (time: string) => string
  /** A number that stands for something. */
  value: (field: LabelledField, value: number) => Cell
}

/**
 * The columns of an export, in order, by the names that an import reads. An import ignores the columns that nobody can set:
 * `id` and those after `remark`.
 */
export const exportColumns: Record<string, (user: UserRecord, write: CellWriters) => Cell> = {
  id: ({ id }) => id,
  username: ({ username }) => username,
  realName: ({ realName }) => realName,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  roles: ({ roleKeys }) => joinCell(roleKeys),
  userType: ({ userType }, write) => write.value('userType', userType),
  tenant: ({ tenantName }) => tenantName,
  userStatus: ({ userStatus }, write) => write.value('userStatus', userStatus),
  gender: ({ gender }, write) => write.value('gender', gender),
  remark: ({ remark }) => remark,
  avatar: ({ avatar }) => avatar,
  lastLoginTime: ({ lastLoginTime }, write) => (lastLoginTime === null ? null : write.time(lastLoginTime)),
  lastLoginIp: ({ lastLoginIp }) => lastLoginIp,
  loginCount: ({ loginCount }) => loginCount,
  createTime: ({ createTime }, write) => write.time(createTime),
  updateTime: ({ updateTime }, write) => write.time(updateTime),
}

const readers = Object.values(exportColumns)

export const cellsOf = (user: UserRecord, write: CellWriters): Cell[] => readers.map((read) => read(user, write))
