import { isUnseen } from '../../lib/copied-text.js'
import type { ReadDate } from './date-styles.js'
import { unescapeText, type SharedStrings } from './shared-strings.js'
import { maxUnpacked, WorkbookFault, type PartReader } from './unpack.js'
import { createXmlReader } from './xml.js'

/** With the row of the column names. */
const maxRows = 50_001
const maxColumns = 100
/** Characters of all rows: a text that cells share comes once for each of them. */
const maxText = maxUnpacked * 2 ** 20
/** Characters of a row, as of a line of a CSV file. */
const maxRowText = 100_000

const numberOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

interface Cell {
  attributes: Record<string, string>
  value: string
  inline: string
}

const toNumber = (text: string): number => {
  const number = Number(text)
  if (Number.isNaN(number)) throw new WorkbookFault('workbook')
  return number
}

/** Reads the text of a cell; empty for a cell that has only a style, and for the errors of formulas. */
const createReadCell = (strings: SharedStrings, readDate: ReadDate) => {
  const readShared = (value: string): string => {
    const text = strings.get(toNumber(value))
    if (text === undefined) throw new WorkbookFault('workbook')
    return text
  }
  const readNumber = (value: string, style: string | undefined): string => {
    const number = toNumber(value)
    return (style === undefined ? undefined : readDate(Number(style), number)?.toISOString()) ?? String(number)
  }
  const readers: Record<string, (value: string, cell: Cell) => string> = {
    n: (value, { attributes }) => readNumber(value, attributes.s),
    s: readShared,
    str: unescapeText,
    b: (value) => String(value === '1'),
    d: (value) => new Date(value).toISOString(),
    e: () => '',
  }
  return (cell: Cell): string => {
    const { t = 'n' } = cell.attributes
    if (t === 'inlineStr') return unescapeText(cell.inline)
    const read = readers[t]
    if (!read) throw new WorkbookFault('workbook')
    return cell.value === '' ? '' : read(cell.value, cell)
  }
}

/**
 * Reads a sheet row by row: `onRow` gets the number of each row that has a value, and its texts. Cells without a value do not
 * count, wherever they are. Throws a `WorkbookFault` for rows and cells beyond the limits.
 */
export const createSheetReader = (
  { strings, readDate }: { strings: SharedStrings; readDate: ReadDate },
  onRow: (row: number, cells: string[]) => void,
): PartReader => {
  const readCell = createReadCell(strings, readDate)
  let row = 0
  let column = 0
  let rows = 0
  let text = 0
  let rowText = 0
  let cells: string[] = []
  let cell: Cell | undefined
  let place: 'value' | 'inline' | undefined
  let isPhonetic = false

  const openRow = ({ r }: Record<string, string>) => {
    if (r !== undefined && toNumber(r) <= row) throw new WorkbookFault('workbook')
    row = r === undefined ? row + 1 : toNumber(r)
    column = 0
    rowText = 0
    cells = []
  }

  const openCell = (attributes: Record<string, string>) => {
    const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(attributes.r ?? '') ?? []
    if (attributes.r !== undefined && Number(digits) !== row) throw new WorkbookFault('workbook')
    const next = letters === undefined ? column + 1 : numberOf(letters)
    if (next <= column) throw new WorkbookFault('workbook')
    column = next
    cell = { attributes, value: '', inline: '' }
  }

  const closeCell = (closed: Cell) => {
    const content = readCell(closed)
    if (isUnseen(content)) return
    if (column > maxColumns) throw new WorkbookFault('columns', maxColumns)
    if (row > maxRows) throw new WorkbookFault('rows', maxRows - 1)
    text += content.length
    rowText += content.length
    if (text > maxText) throw new WorkbookFault('unpacked', maxUnpacked)
    if (rowText > maxRowText) throw new WorkbookFault('workbook')
    while (cells.length < column - 1) cells.push('')
    cells.push(content)
  }

  const closeRow = () => {
    if (cells.length === 0) return
    if (++rows > maxRows) throw new WorkbookFault('rows', maxRows - 1)
    onRow(row, cells)
    cells = []
  }

  return createXmlReader({
    open(name, attributes) {
      if (name === 'row') openRow(attributes())
      else if (name === 'c') openCell(attributes())
      else if (name === 'v') place = 'value'
      else if (name === 't' && !isPhonetic) place = 'inline'
      else if (name === 'rPh') isPhonetic = true
    },
    text(found) {
      if (cell && place) cell[place] += found
    },
    close(name) {
      if (name === 'c' && cell) {
        closeCell(cell)
        cell = undefined
      } else if (name === 'row') closeRow()
      else if (name === 'v' || name === 't') place = undefined
      else if (name === 'rPh') isPhonetic = false
    },
  })
}
