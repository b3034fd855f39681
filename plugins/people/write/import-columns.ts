import { fold } from '../../../db/fold.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { namesColumn } from '../../../schemas/column-labels.js'
import {
  importColumns,
  operatorColumns,
  type ImportColumn,
  type OperatorColumn,
} from '../../../schemas/import-columns.js'
import type { Language } from '../../../schemas/problems.js'
import { exportColumns, type ExportColumn } from '../../../schemas/user.js'
import { valueLabels, type LabelledField, type ValueLabel } from '../../../schemas/value-labels.js'
import type { ViolationRule } from '../../../schemas/violations.js'
import { FileFault } from '../../../lib/file-fault.js'
import { invalidField } from '../../../lib/problem.js'
import { fromSafeCell, splitCell } from '../../../lib/csv-cells.js'
import { inLanguages, type Fault } from '../../../lib/violations.js'
import { maxRoles, userFields } from '../../../schemas/managed-user.js'
import type { AccountToAdd } from './account.js'

/** The account in one row. */
export type ImportedAccount = Omit<AccountToAdd, 'tenantId' | 'forcePasswordChange'> &
  Partial<Pick<AccountToAdd, 'forcePasswordChange'>>

/** Far more than there are names for columns. */
const maxColumns = 100

/** Spreadsheet programs also write cells that have only a colour, as empty ones. */
const isFilled = (cell: string): boolean => cell.trim() !== ''

type Refusal = Omit<Fault, 'field'>
/** Reads a cell: returns its value, or the fault. */
type CellReader<T = unknown> = (text: string) => T | Refusal

const text: CellReader<string> = (value) => value
/** Secrets are read as they are: an export does not contain any. */
const secrets = ['password', 'passwordHash', 'totpSecret']
const trimmed: CellReader<string> = cleanCopied
/** Takes a value itself, as CSV files have it, and its label in either language. */
const oneOf = <Field extends LabelledField>(field: Field) => {
  type Value = (typeof valueLabels)[Field][number]['value']
  const labels: readonly (ValueLabel & { value: Value })[] = valueLabels[field]
  const words = labels.flatMap(({ value, en, zh, others = [] }) =>
    [String(value), en, zh, ...others].map((word) => [fold(word), value] as const),
  )
  const values = new Map(words)
  const list = (language: Language) => [...labels.map(({ value }) => value), ...labels.map((label) => label[language])]
  const allowedValues = inLanguages({ en: list('en'), zh: list('zh') })
  const read: CellReader<Value> = (text) =>
    values.get(fold(cleanCopied(text))) ?? { rule: 'enum', parameters: { allowedValues } }
  return read
}
/** A text that is as long as in a request. */
const textLike =
  ({ maxLength: limit = Infinity }: { maxLength?: number }): CellReader<string> =>
  (value) =>
    [...value].length > limit ? { rule: 'maxLength', parameters: { limit } } : value

const roles: CellReader<string[]> = (value) => {
  const keys = [...new Set(splitCell(value))]
  return keys.length > maxRoles ? { rule: 'maxItems', parameters: { limit: maxRoles } } : keys
}

/** 16 characters are 80 bits: fewer than the 128 that RFC 4226 4 asks for, and what many systems have. */
const base32 = /^[A-Z2-7]{16,64}$/
/** As apps show it: in groups, in small letters, with padding. */
const totpSecret: CellReader<string> = (value) => {
  const secret = value.replace(/[\s=-]/g, '').toUpperCase()
  return base32.test(secret) ? secret : { rule: 'totp_secret' }
}

/** How the columns are read, which are named as the fields of an account. A blank cell leaves the field unset. */
const readers = {
  username: trimmed,
  realName: trimmed,
  phone: text,
  email: text,
  roles,
  userType: oneOf('userType'),
  tenant: trimmed,
  password: text,
  passwordHash: trimmed,
  forcePasswordChange: oneOf('forcePasswordChange'),
  userStatus: oneOf('userStatus'),
  gender: oneOf('gender'),
  remark: textLike(userFields.remark),
  totpSecret,
} as const satisfies { [Name in ImportColumn | OperatorColumn]: CellReader<ImportedAccount[Name]> }

/** A column of a file. One without a name may be there, but no values in it. */
export type FileColumn = ImportColumn | OperatorColumn | ExportColumn | 'unnamed'
const isImported = (column: FileColumn): column is ImportColumn | OperatorColumn => column in readers

/** Columns of an export that nobody can set. */
const ignoredColumns = (Object.keys(exportColumns) as ExportColumn[]).filter((column) => !isImported(column))

/**
 * Reads the column names in the first line of `file`. Throws a `FileFault` that does not quote the line: in a file
 * without column names it may contain a password. `isOperator`: also with the columns that only the command reads.
 */
export const readHeader = (file: string, cells: string[], isOperator = false): FileColumn[] => {
  const known: (ImportColumn | OperatorColumn)[] = isOperator ? [...importColumns, ...operatorColumns] : importColumns
  const refuse = (message: string, rule: ViolationRule, parameters?: Fault['parameters']) =>
    new FileFault(`${file}: ${message}`, rule, parameters)
  const names = cells.slice(0, cells.findLastIndex(isFilled) + 1)
  if (names.length > maxColumns)
    throw refuse(`the first line must name at most ${maxColumns} columns.`, 'workbook_columns', { limit: maxColumns })
  const header = names.map((cell, index): FileColumn => {
    if (!isFilled(cell)) return 'unnamed'
    const column = [...known, ...ignoredColumns].find((name) => namesColumn(cell, name))
    if (column) return column
    throw refuse(
      `the first line must name the columns, and column ${index + 1} is none of ${known.join(', ')}.`,
      'csv_unknown_column',
      { number: index + 1, columns: known },
    )
  })
  const duplicate = header.find((column, index) => column !== 'unnamed' && header.indexOf(column) < index)
  if (duplicate) throw refuse(`the column ${duplicate} occurs twice.`, 'csv_column_twice', { column: duplicate })
  if (!header.includes('username')) throw refuse('the column username is missing.', 'csv_no_username')
  return header
}

/**
 * Reads the cells of one row and returns the faults of invalid cells. Throws `invalid_request` for a wrong number of cells.
 */
export const readRow = (header: FileColumn[], cells: string[]): { account: ImportedAccount; faults: Fault[] } => {
  if (cells.length < header.length) throw invalidField('row', 'fields', { limit: header.length })
  const account: ImportedAccount = { username: '' }
  const faults: Fault[] = []
  for (const [index, cell] of cells.entries()) {
    if (!isFilled(cell)) continue
    const field = header[index]
    if (field === undefined) throw invalidField('row', 'fields', { limit: header.length })
    if (field === 'unnamed') throw invalidField('row', 'unnamed_column', { number: index + 1 })
    if (!isImported(field)) continue
    const value = secrets.includes(field) ? cell : fromSafeCell(cell)
    const read = value.includes('\0') ? ({ rule: 'nul' } as const) : readers[field](value)
    if (typeof read === 'object' && 'rule' in read) faults.push({ field, ...read })
    else Object.assign(account, { [field]: read })
  }
  return { account, faults }
}
