import type { CsvRecord } from './csv.js'
import { isExampleRow } from './example-row.js'
import { readHeader, type FileColumn } from './import-columns.js'

/** A table that can be read several times. Its first record names the columns. */
export interface ImportSource {
  /** How messages call it. */
  name: string
  records: () => AsyncIterable<CsvRecord>
}

/** Rows written in one transaction, few enough that requests of a running service are not delayed. */
export const batchSize = 200

export async function* inBatches<T>(items: AsyncIterable<T>, batchSize: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    if (batch.push(item) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Reads the whole table once, so that CSV errors are found before anything is written. */
export const checkSource = async (
  { name, records }: ImportSource,
  isOperator: boolean,
): Promise<{ columns: FileColumn[]; count: number }> => {
  let columns: FileColumn[] | undefined
  let count = 0
  for await (const { cells } of records()) {
    if (!columns) columns = readHeader(name, cells, isOperator)
    else if (!isExampleRow(columns, cells)) count++
  }
  return { columns: columns ?? readHeader(name, [], isOperator), count }
}

/** The records after the first line, without the example of the template. */
export async function* rowsOf({ records }: ImportSource, columns: FileColumn[]): AsyncGenerator<CsvRecord> {
  let isHeader = true
  for await (const record of records()) {
    if (!isHeader && !isExampleRow(columns, record.cells)) yield record
    isHeader = false
  }
}
