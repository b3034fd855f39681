import { exportColumns, type ExportColumn, type UserRecord } from '../../../schemas/user.js'
import type { LabelledField } from '../../../schemas/value-labels.js'
import { joinCell } from '../../../lib/csv-cells.js'
import type { Cell } from './format.js'

/** Writes what files show in different ways. */
export interface CellWriters {
  /** The name of a column. */
  column: (column: ExportColumn) => string
  time: (time: string) => string
  /** A number that stands for something, or yes or no. */
  value: (field: LabelledField, value: number | boolean) => Cell
}

type WriteCell = (user: UserRecord, write: CellWriters) => Cell

/** The columns that are not just a field of the record. */
const otherColumns = {
  roles: ({ roleKeys }) => joinCell(roleKeys),
  tenant: ({ tenantName }) => tenantName,
  userType: ({ userType }, write) => write.value('userType', userType),
  userStatus: ({ userStatus }, write) => write.value('userStatus', userStatus),
  gender: ({ gender }, write) => write.value('gender', gender),
  hasSecondFactor: ({ hasSecondFactor }, write) => write.value('hasSecondFactor', hasSecondFactor),
  bannedUntil: ({ bannedUntil }, write) => (bannedUntil === null ? null : write.time(bannedUntil)),
  lastLoginTime: ({ lastLoginTime }, write) => (lastLoginTime === null ? null : write.time(lastLoginTime)),
  createTime: ({ createTime }, write) => write.time(createTime),
  updateTime: ({ updateTime }, write) => write.time(updateTime),
} satisfies Partial<Record<ExportColumn, WriteCell>>

const isOther = (column: ExportColumn): column is keyof typeof otherColumns => column in otherColumns
const writerOf = (column: ExportColumn): WriteCell => (isOther(column) ? otherColumns[column] : (user) => user[column])
const columns = Object.keys(exportColumns) as ExportColumn[]
const writers = columns.map(writerOf)

export const namesOf = (write: CellWriters): string[] => columns.map(write.column)

export const cellsOf = (user: UserRecord, write: CellWriters): Cell[] =>
  writers.map((writeCell) => writeCell(user, write))
