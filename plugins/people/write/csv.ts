import { pipeline, type TransformOptions } from 'node:stream'
import { CsvError, parse, type Options } from 'csv-parse'
import { isUnseen } from '../../../lib/copied-text.js'
import { FileFault } from '../../../lib/file-fault.js'
import { OperatorError } from '../../../lib/operator-error.js'
import type { ViolationRule } from '../../../schemas/violations.js'
import type { CsvFile } from './csv-files.js'
import { lineBreaks, maxRecordLength, readCsvText } from './csv-text.js'

/** One record of a file, and the number of its first line, counted from 1. */
export interface CsvRecord {
  line: number
  cells: string[]
}

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
 * Reads the records of a CSV file (RFC 4180, UTF-8; also with semicolons or tabs) one by one, without blank ones; memory use does not
 * grow with the file. Throws an `OperatorError` that names the file and the line.
 */
export async function* readCsv({ name, open }: CsvFile): AsyncGenerator<CsvRecord> {
  let line = 1
  /** Called when a record is complete, so `line` is the first line of the next record if that one is faulty. */
  const toRecord = (cells: string[]): CsvRecord | undefined => {
    const record = { line, cells }
    line += 1 + cells.reduce((count, cell) => count + (cell.match(lineBreaks)?.length ?? 0), 0)
    return cells.some((cell) => !isUnseen(cell)) ? record : undefined
  }
  try {
    const text = await readCsvText(await open(), name)
    line += text.skippedLines
    const options: Options<CsvRecord, string[]> & TransformOptions = {
      on_record: toRecord,
      delimiter: text.separator,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRecordLength,
      // Otherwise the parser would keep many of these parts, and read them in one turn.
      writableHighWaterMark: 1,
    }
    // The types of csv-parse do not allow `on_record` to return another form.
    const records = parse(options as unknown as Options)
    // Errors are thrown by the iteration over `records` below.
    pipeline(text.pieces, records, () => undefined)
    yield* records as AsyncIterable<CsvRecord>
  } catch (error) {
    throw toReadError(error, name, line)
  }
}
