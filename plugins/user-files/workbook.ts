import { Worker } from 'node:worker_threads'
import type { Database } from '../../db/index.js'
import { endThread } from '../../lib/end-thread.js'
import { invalidField, problem } from '../../lib/problem.js'
import type { CsvRecord } from '../accounts/csv.js'
import type { UploadedFile } from './temporary-file.js'
import { kindOf } from './upload.js'
import type { WorkbookMessage } from './workbook-thread.js'

const module = new URL('workbook-thread.js', import.meta.url)
/** 64 MiB of XML become some 200 MiB of strings at most. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 }
/** Milliseconds; 50,000 rows take about two seconds. */
const maxTime = 20_000
const batchSize = 200

type Ask = (content: Buffer, onRecords: (records: CsvRecord[]) => void, signal: AbortSignal) => Promise<void>

/** Reads a workbook in a thread, which ends afterwards. */
const readInThread: Ask = async (content, onRecords, signal) => {
  const thread = new Worker(module, { workerData: content, execArgv: [], resourceLimits })
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), maxTime)
  try {
    await new Promise<void>((resolve, reject) => {
      timer.signal.addEventListener('abort', () => reject(invalidField('file', 'workbook_slow')))
      signal.addEventListener('abort', () => reject(problem('unavailable', { retryAfter: 5 })))
      thread.on('message', (message: WorkbookMessage) => {
        if (message === 'end') resolve()
        else if ('records' in message) onRecords(message.records)
        else {
          const parameters = { limit: message.limit }
          if (message.rule === 'workbook_unpacked')
            reject(problem('payload_too_large', { faults: [{ field: 'file', rule: message.rule, parameters }] }))
          else reject(invalidField('file', message.rule, parameters))
        }
      })
      // The thread has reached its limit of memory.
      thread.on('error', () => reject(invalidField('file', 'workbook_slow')))
      thread.on('exit', () => reject(invalidField('file', 'workbook')))
    })
  } finally {
    clearTimeout(timeout)
    await endThread(thread)
  }
}

/** Reads workbooks as tables, whose rows wait outside the memory. Throws `invalid_request` and `payload_too_large`. */
export const createOpenWorkbook =
  (db: Pick<Database, 'openTemporaryFile'>) => async (file: UploadedFile, signal: AbortSignal) => {
    if (kindOf(file) === 'old') throw invalidField('file', 'workbook_old')
    const rows = db.openTemporaryFile<CsvRecord>()
    try {
      await readInThread(await file.read(), (records) => rows.add(records), signal)
    } catch (error) {
      rows.close()
      throw error
    }
    async function* records() {
      for (const batch of rows.batches(batchSize)) yield* batch
    }
    return { name: 'file', records, close: () => rows.close() }
  }
