import { readCsv, type CsvRecord } from './csv.js'
import { readHeader, type FileColumn } from './import-columns.js'

/** Rows written in one transaction, few enough that requests of a running service are not delayed. */
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

/** Reads the whole file once, so that CSV errors are found before anything is written. */
export const checkFile = async (file: string): Promise<{ columns: FileColumn[]; count: number }> => {
  let columns: FileColumn[] | undefined
  let count = 0
  for await (const { cells } of readCsv(file)) {
    if (columns) count++
    else columns = readHeader(file, cells)
  }
  return { columns: columns ?? readHeader(file, []), count }
}

/** The records after the first line. */
export async function* rowsOf(file: string): AsyncGenerator<CsvRecord> {
  let isHeader = true
  for await (const record of readCsv(file)) {
    if (!isHeader) yield record
    isHeader = false
  }
}
