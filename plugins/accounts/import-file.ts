import { readCsv, type CsvRecord } from './csv.js'
import { readHeader, type ImportColumn } from './import-columns.js'

/** Rows that are written in one transaction: short enough that a running service does not notice. */
export const batchSize = 200

export async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    if (batch.push(item) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Reads all of the file once, so that a fault of its form is told before anything is written. */
export const readForm = async (file: string): Promise<{ columns: ImportColumn[]; count: number }> => {
  let columns: ImportColumn[] | undefined
  let count = 0
  for await (const { cells } of readCsv(file)) {
    if (columns) count++
    else columns = readHeader(file, cells)
  }
  return { columns: columns ?? readHeader(file, []), count }
}

/** The records behind the first line. */
export async function* rowsOf(file: string): AsyncGenerator<CsvRecord> {
  let isHeader = true
  for await (const record of readCsv(file)) {
    if (!isHeader) yield record
    isHeader = false
  }
}
