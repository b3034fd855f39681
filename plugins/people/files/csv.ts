import { toSafeCell } from '../../../lib/csv-cells.js'
import type { Administration } from '../write/administration.js'
import type { Cell, FileFormat } from './format.js'

/** Without it, spreadsheet programs do not read the file as UTF-8. */
const byteOrderMark = '\ufeff'

const toCell = (cell: Cell): string => {
  const text = typeof cell === 'string' ? toSafeCell(cell) : String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const toLines = (rows: Cell[][]): string => rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')

async function* toCsv(batches: AsyncIterable<Cell[][]> | Iterable<Cell[][]>): AsyncGenerator<string> {
  let start = byteOrderMark
  for await (const rows of batches) {
    if (rows.length > 0) yield start + toLines(rows)
    start = ''
  }
}

/** CSV (RFC 4180). */
export const createCsvFormat = ({ readCsv }: Pick<Administration, 'readCsv'>): FileFormat => ({
  name: 'csv',
  type: 'text/csv; charset=utf-8',
  maxUsers: Infinity,
  readers: 'programs',
  write: toCsv,
  maxUpload: { text: 64 * 2 ** 20 },
  open: async (file) => {
    const csv = { name: 'file', open: async () => file.open() }
    return { name: csv.name, records: () => readCsv(csv), close: () => undefined }
  },
})
