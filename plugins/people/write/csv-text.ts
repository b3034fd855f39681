import { setImmediate } from 'node:timers/promises'
import { cleanCopied } from '../../../lib/copied-text.js'
import { FileFault } from '../../../lib/file-fault.js'

/** Characters. A longer record usually comes from a missing closing quote; it must not fill the memory. */
export const maxRecordLength = 100_000
/**
 * What is parsed in one turn of the event loop: so many bytes, with so many line breaks. The library makes an error for
 * each record of a wrong length, which takes it much longer than to read the record.
 */
const turn = { bytes: 4096, lines: 64 }
export const lineBreaks = /\r\n|\r|\n/g

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

async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // The decoder also removes a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) {
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      end = endOfTurn(chunk, start)
      yield decoder.decode(chunk.subarray(start, end), { stream: true })
      await setImmediate()
    }
  }
  yield decoder.decode()
}

/** What separates cells: Excel writes semicolons where numbers have a comma, and copied cells have tabs between them. */
const separators = [',', ';', '\t'] as const
type Separator = (typeof separators)[number]
/** What separates cells in other files. No name of a column contains it. */
const otherSeparators = /[|，；、]/

/** Whether a text has a whole line that is not blank. The second half of a line break may be in the next piece. */
const hasWholeLine = (text: string): boolean => {
  const line = text.trimStart()
  const end = line.search(/[\r\n]/)
  return end >= 0 && end < line.length - 1
}
/** The line by which Excel tells itself what separates the cells. */
const separatorLine = /^\s*sep=([^\r\n])[^\S\r\n]*(?:\r\n|\r|\n|$)/i

const findSeparator = (start: string, told: string | undefined, file: string): Separator => {
  const line = start.split(lineBreaks).find((text) => cleanCopied(text) !== '') ?? ''
  const separator = separators.find((sign) => (told === undefined ? line.includes(sign) : sign === told))
  if (separator !== undefined) return separator
  if (told === undefined && !otherSeparators.test(line)) return ','
  throw new FileFault(`${file}: the cells must be separated by commas, semicolons or tabs.`, 'csv_separator')
}

/** Characters of a cell that is written as text; longer ones are left as they are. */
const maxWritten = 254

/**
 * `="00123"` without quotes around it is no CSV, and yet what many programs write so that a spreadsheet program keeps the zeros. It
 * becomes a quoted cell. In a file without faults this means nothing else: no quote is followed by such a text.
 */
async function* quoteWrittenTexts(pieces: AsyncIterable<string>, separator: Separator): AsyncGenerator<string> {
  const edge = `${separator}\r\n`
  const written = new RegExp(`(?<=^|[${edge}])="([^"${edge}]{1,${maxWritten}})"(?=[${edge}]|$)`, 'g')
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    // The last cell may go on in the next piece, unless it is too long to be written so.
    const end = Math.max(...[...edge].map((sign) => text.lastIndexOf(sign)), 0)
    const taken = text.length - end > 2 * maxWritten ? text : text.slice(0, end)
    rest = text.slice(taken.length)
    if (taken !== '') yield taken.replace(written, '"$1"')
  }
  yield rest.replace(written, '"$1"')
}

/** The text of a file, and how to read it. */
export interface CsvText {
  separator: Separator
  /** Lines before the text. */
  skippedLines: number
  pieces: AsyncGenerator<string>
}

/** Reads the beginning of a file. Throws a `FileFault` for one whose cells are separated by other signs. */
export const readCsvText = async (chunks: AsyncIterable<Buffer>, file: string): Promise<CsvText> => {
  const decoded = decode(chunks)
  try {
    let start = ''
    while (!hasWholeLine(start) && start.length < maxRecordLength) {
      const next = await decoded.next()
      if (next.done) break
      start += next.value
    }
    const [skipped = '', told] = separatorLine.exec(start) ?? []
    const text = start.slice(skipped.length)
    const separator = findSeparator(text, told, file)
    const whole = async function* () {
      try {
        yield text
        yield* decoded
      } finally {
        await decoded.return(undefined)
      }
    }
    const skippedLines = skipped.match(lineBreaks)?.length ?? 0
    return { separator, skippedLines, pieces: quoteWrittenTexts(whole(), separator) }
  } catch (error) {
    await decoded.return(undefined)
    throw error
  }
}
