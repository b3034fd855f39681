import { cleanCopied, isUnseen } from '../../../lib/copied-text.js'
import { FileFault } from '../../../lib/file-fault.js'
import { inLanguages, type Fault } from '../../../lib/violations.js'
import { labelOf, namesColumn } from '../../../schemas/column-labels.js'
import {
  importColumns,
  operatorColumns,
  type ImportColumn,
  type OperatorColumn,
} from '../../../schemas/import-columns.js'
import { exportColumns, type ExportColumn } from '../../../schemas/user.js'
import type { ViolationRule } from '../../../schemas/violations.js'
import { isImported, readCell, type ImportedAccount } from './import-cells.js'

/** Far more than there are names for columns. */
const maxColumns = 100

/** Spreadsheet programs also write cells that have only a colour, as empty ones. */
const isFilled = (cell: string): boolean => !isUnseen(cell)

/** Characters of a heading that a message quotes. */
const maxQuoted = 40

/** Unknown columns that a message names. */
const maxNamed = 10

/** A column by its number and heading. */
const quote = (number: number, heading: string) => {
  const characters = [...heading.replace(/[\p{Cc}\p{Cf}]/gu, ' ')]
  const text = characters.length > maxQuoted ? `${characters.slice(0, maxQuoted).join('')}…` : characters.join('')
  return { en: `column ${number} ("${text}")`, zh: `第 ${number} 列（“${text}”）` }
}

/** A column of a file. One without a name may be there, but no values in it. */
export type FileColumn = ImportColumn | OperatorColumn | ExportColumn | 'unnamed'

/** Names of columns as the template of each language has them. */
const inWords = (columns: string[]) => inLanguages({ en: columns, zh: columns.map((column) => labelOf(column, 'zh')) })

/** Columns of an export that nobody can set. */
const ignoredColumns = (Object.keys(exportColumns) as ExportColumn[]).filter((column) => !isImported(column))

/**
 * Reads the column names in the first line of `file`, with `isOperator` also those that only the command reads. Throws a `FileFault`, which
 * quotes a heading only if another one is `username`: in a file without column names the line may contain a password.
 */
export const readHeader = (file: string, cells: string[], isOperator = false): FileColumn[] => {
  const known: (ImportColumn | OperatorColumn)[] = isOperator ? [...importColumns, ...operatorColumns] : importColumns
  const refuse = (message: string, rule: ViolationRule, parameters?: Fault['parameters']) =>
    new FileFault(`${file}: ${message}`, rule, parameters)
  const names = cells.slice(0, cells.findLastIndex(isFilled) + 1)
  if (names.length > maxColumns)
    throw refuse(`the first line must name at most ${maxColumns} columns.`, 'workbook_columns', { limit: maxColumns })
  const columns = names.map((cell): FileColumn | undefined =>
    isFilled(cell) ? [...known, ...ignoredColumns].find((name) => namesColumn(cleanCopied(cell), name)) : 'unnamed',
  )
  const unknown = columns.flatMap((column, index) => (column === undefined ? [index + 1] : []))
  const [first] = unknown
  if (first !== undefined && !columns.includes('username'))
    throw refuse(
      `the first line must name the columns, and column ${first} is none of ${known.join(', ')}.`,
      'csv_unknown_column',
      { number: first, columns: inWords(known) },
    )
  if (first !== undefined) {
    const named = unknown.slice(0, maxNamed).map((number) => quote(number, cleanCopied(names[number - 1] ?? '')))
    const all = { en: named.map(({ en }) => en), zh: named.map(({ zh }) => zh) }
    throw refuse(`delete or rename ${all.en.join(', ')}: the columns are ${known.join(', ')}.`, 'csv_unknown_columns', {
      unknown: inLanguages(all),
      columns: inWords(known),
    })
  }
  const header = columns.filter((column) => column !== undefined)
  const duplicate = header.find((column, index) => column !== 'unnamed' && header.indexOf(column) < index)
  if (duplicate)
    throw refuse(`the column ${duplicate} occurs twice.`, 'csv_column_twice', { column: inWords([duplicate]) })
  if (!header.includes('username')) throw refuse('the column username is missing.', 'csv_no_username')
  return header
}

/** Reads the cells of one row, and all faults of it. Cells that are missing at its end are empty. */
export const readRow = (header: FileColumn[], cells: string[]): { account: ImportedAccount; faults: Fault[] } => {
  const account: ImportedAccount = { username: '' }
  const faults: Fault[] = []
  for (const [index, cell] of cells.entries()) {
    if (!isFilled(cell)) continue
    const field = header[index]
    if (field === undefined) {
      faults.push({ field: 'row', rule: 'fields', parameters: { limit: header.length } })
      break
    }
    if (field === 'unnamed') faults.push({ field: 'row', rule: 'unnamed_column', parameters: { number: index + 1 } })
    if (!isImported(field)) continue
    const read = readCell(field, cell)
    if ('rule' in read) faults.push({ field, ...read })
    else Object.assign(account, { [field]: read.value })
  }
  return { account, faults }
}
