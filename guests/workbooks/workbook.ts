import { Worker } from 'node:worker_threads'
import type { Database } from '../../db/index.js'
import { endThread } from '../../lib/end-thread.js'
import { onAbort } from '../../lib/on-abort.js'
import { invalidField, problem } from '../../lib/problem.js'
import type { FileFormat } from '../../plugins/people/files/format.js'
import type { CsvRecord } from '../../plugins/people/write/csv.js'
import { rules } from './rules.js'
import type { WorkbookMessage, WorkbookTask } from './workbook-thread.js'

const module = new URL('workbook-thread.js', import.meta.url)
/** Rows go through the memory piece by piece. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }
/** Milliseconds; 50,000 rows take about two seconds. */
const maxTime = 20_000
const batchSize = 200

type Ask = (content: Buffer, onRecords: (records: CsvRecord[]) => void, signal: AbortSignal) => Promise<void>

/** Reads a workbook in a thread, which ends afterwards. */
const readInThread: Ask = async (content, onRecords, signal) => {
  const task: WorkbookTask = { content, taken: new Int32Array(new SharedArrayBuffer(4)) }
  const thread = new Worker(module, { workerData: task, execArgv: [], resourceLimits })
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), maxTime)
  try {
    await new Promise<void>((resolve, reject) => {
      timer.signal.addEventListener('abort', () => reject(invalidField('file', rules.slow)))
      onAbort(signal, () => reject(problem('unavailable', { retryAfter: 5 })))
      thread.on('message', (message: WorkbookMessage) => {
        if (message === 'end') resolve()
        else if ('records' in message) {
          onRecords(message.records)
          Atomics.add(task.taken, 0, 1)
          Atomics.notify(task.taken, 0)
        } else {
          const reason = message.rule === 'unpacked' ? 'payload_too_large' : 'invalid_request'
          const fault = { field: 'file', rule: rules[message.rule], parameters: { limit: message.limit } }
          reject(problem(reason, { faults: [fault] }))
        }
      })
      // The thread has reached its limit of memory.
      thread.on('error', () => reject(invalidField('file', rules.slow)))
      thread.on('exit', () => reject(invalidField('file', rules.workbook)))
    })
  } finally {
    clearTimeout(timeout)
    await endThread(thread)
  }
}

/** Reads workbooks as tables, whose rows wait outside the memory. Throws `invalid_request` and `payload_too_large`. */
export const createOpenWorkbook =
  (db: Pick<Database, 'openTemporaryFile'>): FileFormat['open'] =>
  async (file, kind, signal) => {
    if (kind === 'old') throw invalidField('file', rules.old)
    const rows = await db.openTemporaryFile<CsvRecord>()
    try {
      await readInThread(await file.read(), (records) => rows.add(records), signal)
    } catch (error) {
      rows.close()
      throw error
    }
    async function* records() {
      for (let start = 0; start < rows.count(); start += batchSize) yield* rows.slice(start, start + batchSize)
    }
    return { name: 'file', records, close: () => rows.close() }
  }
