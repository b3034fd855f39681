import { exportColumns, type UserRecord } from '../../../schemas/user.js'
import { toSafeCell } from '../../../lib/csv-cells.js'
import { cellsOf, type CellWriters } from './columns.js'

/** Without it, spreadsheet programs do not read the file as UTF-8. */
const byteOrderMark = '\ufeff'

const toCell = (cell: string | number | null): string => {
  const text = typeof cell === 'string' ? toSafeCell(cell) : String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const toLines = (rows: (string | number | null)[][]): string =>
  rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')

/** A small table as a whole. */
export const toCsvFile = (rows: string[][]): string => byteOrderMark + toLines(rows)

/** Users as CSV (RFC 4180), a part for each batch. Programs read it, too: numbers stay numbers. */
export async function* toCsv(batches: AsyncIterable<UserRecord[]>, time: CellWriters['time']): AsyncGenerator<string> {
  const write: CellWriters = { time, value: (_field, value) => (typeof value === 'boolean' ? String(value) : value) }
  yield byteOrderMark + toLines([Object.keys(exportColumns)])
  for await (const users of batches) if (users.length > 0) yield toLines(users.map((user) => cellsOf(user, write)))
}
