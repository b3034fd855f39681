import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable, type TransformOptions } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse, type Options } from 'csv-parse'
import { FileFault } from '../../../lib/file-fault.js'
import { OperatorError } from '../../../lib/operator-error.js'
import type { ViolationRule } from '../../../schemas/violations.js'

/** One record of a file, and the number of its first line, counted from 1. */
export interface CsvRecord {
  line: number
  cells: string[]
}

/** Characters. A longer record usually comes from a missing closing quote; it must not fill the memory. */
const maxRecordLength = 100_000
/**
 * What is parsed in one turn of the event loop: so many bytes, with so many line breaks. The library makes an error for
 * each record of a wrong length, which takes it much longer than to read the record.
 */
const turn = { bytes: 4096, lines: 64 }
const lineBreaks = /\r\n|\r|\n/g

/** CSV errors. The messages of the library quote the file, which may contain passwords. */
const faults: Partial<Record<string, [rule: ViolationRule, text: string]>> = {
  CSV_QUOTE_NOT_CLOSED: ['csv_open_quote', 'a quote is not closed'],
  INVALID_OPENING_QUOTE: [
    'csv_inner_quote',
    'a field contains a quote; put the field in quotes and double the quotes inside',
  ],
  CSV_INVALID_CLOSING_QUOTE: [
    'csv_after_quote',
    'there is text after the closing quote of a field; double the quotes inside a field',
  ],
  CSV_MAX_RECORD_SIZE: ['csv_long_record', 'the record is too long, or a quote is not closed'],
}

/** What separates cells in other files than CSV with commas. No name of a column contains it. */
const otherSeparators = /[;\t|，；、]/

/** Throws if the first line of a text with cells has other separators than commas: programs of many countries write them. */
const checkSeparators = (text: string, file: string): void => {
  const [line = ''] = text.trimStart().split(lineBreaks, 1)
  if (line.includes(',') || !otherSeparators.test(line.trim())) return
  throw new FileFault(
    `${file}: the cells must be separated by commas, not by semicolons, tabs or other signs.`,
    'csv_separator',
  )
}

/** A CSV file that can be read several times. */
export interface CsvFile {
  /** How messages call it. */
  name: string
  open: () => Promise<Readable>
}

export const csvFileAt = (path: string): CsvFile => ({
  name: path,
  open: async () => {
    if (!(await stat(path)).isFile()) throw new OperatorError(`${path} is not a file.`)
    return createReadStream(path)
  },
})

/** Where the turn that starts here ends. */
const endOfTurn = (chunk: Buffer, start: number): number => {
  const last = Math.min(chunk.length, start + turn.bytes)
  let lines = 0
  let end = start
  while (end < last && lines < turn.lines) {
    if (chunk[end] === 10 || chunk[end] === 13) lines++
    end++
  }
  return end
}

async function* decode(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<string> {
  // The decoder also removes a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isStart = true
  for await (const chunk of chunks) {
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      end = endOfTurn(chunk, start)
      const text = decoder.decode(chunk.subarray(start, end), { stream: true })
      // Before it is parsed, because quotes beside other signs than commas are faults of their own.
      if (isStart) checkSeparators(text, file)
      isStart = false
      yield text
      await setImmediate()
    }
  }
  yield decoder.decode()
}

const toReadError = (error: unknown, file: string, line: number): unknown => {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof CsvError) {
    const [rule, text] = faults[code] ?? ['csv_syntax', 'this is not CSV']
    return new FileFault(`${file}, line ${line}: ${text}.`, rule, { line })
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new FileFault(`${file} is not UTF-8 text. Save it as CSV UTF-8 and try again.`, 'csv_encoding')
  }
  return code === '' ? error : new OperatorError(`${file} cannot be read: ${message}`)
}

/**
 * Reads the records of a CSV file (RFC 4180, UTF-8) one by one, without blank ones; memory use does not grow with the file.
 * Throws an `OperatorError` that names the file and the line.
 */
export async function* readCsv({ name, open }: CsvFile): AsyncGenerator<CsvRecord> {
  let line = 1
  /** Called when a record is complete, so `line` is the first line of the next record if that one is faulty. */
  const toRecord = (cells: string[]): CsvRecord | undefined => {
    const record = { line, cells }
    line += 1 + cells.reduce((count, cell) => count + (cell.match(lineBreaks)?.length ?? 0), 0)
    return cells.some((cell) => cell.trim() !== '') ? record : undefined
  }
  try {
    const options: Options<CsvRecord, string[]> & TransformOptions = {
      on_record: toRecord,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRecordLength,
      // Otherwise the parser would keep many of these parts, and read them in one turn.
      writableHighWaterMark: 1,
    }
    // The types of csv-parse do not allow `on_record` to return another form.
    const records = parse(options as unknown as Options)
    // Errors are thrown by the iteration over `records` below.
    const decodeFile = (chunks: AsyncIterable<Buffer>) => decode(chunks, name)
    pipeline(await open(), decodeFile, records, () => undefined)
    yield* records as AsyncIterable<CsvRecord>
  } catch (error) {
    throw toReadError(error, name, line)
  }
}
