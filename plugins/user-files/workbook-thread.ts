import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/universal'
import { lowerPriority } from '../../lib/lower-priority.js'
import type { CsvRecord } from '../accounts/csv.js'
import { repack, unpack, WorkbookFault } from './unpack.js'
import type { ViolationRule } from '../../schemas/violations.js'

export type WorkbookMessage = { records: CsvRecord[] } | { rule: ViolationRule; limit: number | undefined } | 'end'

/** With the row of the column names. */
const maxRows = 50_001
const maxColumns = 100
/** Records of one message, few enough that the main thread reads it in a few milliseconds. */
const batchSize = 200

const numberOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

/** A cell far away makes the library fill all rows and columns before it. */
const checkPlaces = (sheet: string): void => {
  for (const [, letters = '', digits = ''] of sheet.matchAll(/\sr\s*=\s*["']([A-Za-z]*)(\d*)["']/g)) {
    if (numberOf(letters.toUpperCase()) > maxColumns) throw new WorkbookFault('workbook_columns', maxColumns)
    if (Number(digits) > maxRows) throw new WorkbookFault('workbook_rows', maxRows - 1)
  }
  // Rows and cells may also come without a place of their own.
  if ((sheet.match(/<(\w+:)?row[\s/>]/g) ?? []).length > maxRows) throw new WorkbookFault('workbook_rows', maxRows - 1)
}

const checkParts = (parts: Record<string, Uint8Array>): void => {
  if (!('xl/workbook.xml' in parts)) throw new WorkbookFault('workbook')
  for (const [name, content] of Object.entries(parts)) {
    const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
    // Workbooks define no entities; entities inside entities would grow without bound.
    if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new WorkbookFault('workbook')
    if (name.startsWith('xl/worksheets/')) checkPlaces(text)
  }
}

const toText = (cell: unknown): string => {
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : ''
}

/** Rows with cells, all as wide as the column names unless they are wider. */
const toRecords = (rows: unknown[][]): CsvRecord[] => {
  const trimmed = rows.map((row) => {
    const cells = row.map(toText)
    return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  })
  const width = trimmed[0]?.length ?? 0
  return trimmed.flatMap((cells, index) => {
    const missing = Array.from({ length: Math.max(0, width - cells.length) }, () => '')
    return cells.length === 0 && index > 0 ? [] : { line: index + 1, cells: [...cells, ...missing] }
  })
}

const send = (message: WorkbookMessage) => parentPort?.postMessage(message)

const read = async (workbook: Uint8Array): Promise<void> => {
  const parts = unpack(workbook)
  checkParts(parts)
  const rows = await readSheet(repack(parts), { trim: false })
  if ((rows[0]?.length ?? 0) > maxColumns) throw new WorkbookFault('workbook_columns', maxColumns)
  const records = toRecords(rows)
  if (records.length < 2) throw new WorkbookFault('workbook_empty')
  for (let start = 0; start < records.length; start += batchSize)
    send({ records: records.slice(start, start + batchSize) })
}

lowerPriority()
try {
  await read(workerData as Uint8Array)
  send('end')
} catch (error) {
  // Whatever the library cannot read is no workbook.
  const { rule, limit } = error instanceof WorkbookFault ? error : new WorkbookFault('workbook')
  send({ rule, limit })
}
