import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../lib/lower-priority.js'
import type { CsvRecord } from '../../plugins/people/write/csv.js'
import type { WorkbookRule } from './rules.js'
import { createDateStyles } from './date-styles.js'
import { createSharedStrings } from './shared-strings.js'
import { createSheetReader } from './sheet.js'
import { measure, unpack, WorkbookFault } from './unpack.js'
import { findParts } from './workbook-parts.js'

export type WorkbookMessage = { records: CsvRecord[] } | { rule: WorkbookRule; limit: number | undefined } | 'end'

export interface WorkbookTask {
  content: Uint8Array
  /** How many messages with records the main thread has taken, in shared memory. */
  taken: Int32Array
}

/** Records and characters of one message, few enough that the main thread reads it in a few milliseconds. */
const batchSize = 200
const batchText = 100_000
/** Messages that wait for the main thread. */
const maxWaiting = 4

const { content, taken } = workerData as WorkbookTask
let sent = 0

const send = (message: WorkbookMessage) => parentPort?.postMessage(message)

const sendRecords = (records: CsvRecord[]): void => {
  send({ records })
  sent++
  for (let seen = Atomics.load(taken, 0); sent - seen > maxWaiting; seen = Atomics.load(taken, 0))
    Atomics.wait(taken, 0, seen)
}

/** Sends rows as records: all as wide as the column names, unless they are wider. The first row is sent even if it is empty. */
const createSender = () => {
  let records: CsvRecord[] = []
  let text = 0
  let width = 0
  let count = 0
  const flush = () => {
    if (records.length > 0) sendRecords(records)
    records = []
    text = 0
  }
  const add = (line: number, cells: string[]): void => {
    if (count === 0 && line > 1) add(1, [])
    if (count === 0) width = cells.length
    while (cells.length < width) cells.push('')
    count++
    for (const cell of cells) text += cell.length
    if (records.push({ line, cells }) >= batchSize || text > batchText) flush()
  }
  return {
    add,
    finish: flush,
  }
}

const read = (): void => {
  const sizes = measure(content)
  if (!sizes.has('xl/workbook.xml')) throw new WorkbookFault('workbook')
  const parts = findParts(content)
  if (!sizes.has(parts.sheet)) throw new WorkbookFault('workbook')
  const strings = createSharedStrings(sizes.get(parts.sharedStrings) ?? 0)
  const styles = createDateStyles(parts.isFrom1904)
  unpack(content, (name) => {
    // A workbook may name any part as this one; those that were not measured may be of any size.
    if (!sizes.has(name)) return undefined
    if (name === parts.sharedStrings) return strings.reader
    return name === parts.styles ? styles.reader : undefined
  })
  const sender = createSender()
  const sheet = createSheetReader({ strings, readDate: styles.readDate }, sender.add)
  unpack(content, (name) => (name === parts.sheet ? sheet : undefined))
  sender.finish()
}

lowerPriority()
try {
  read()
  send('end')
} catch (error) {
  // Whatever cannot be read is no workbook.
  const { rule, limit } = error instanceof WorkbookFault ? error : new WorkbookFault('workbook')
  send({ rule, limit })
}
