import { trimBlanks } from '../../lib/trim-blanks.js'
import { namesColumn } from '../../schemas/column-labels.js'
import { userStatuses, userTypes } from '../../schemas/user.js'
import type { ViolationRule } from '../../schemas/violations.js'
import { FileFault } from '../../lib/file-fault.js'
import { invalidField } from '../../lib/problem.js'
import { fromSafeCell, splitCell } from '../../lib/csv-cells.js'
import type { Fault } from '../../lib/violations.js'
import { maxRoles } from '../../schemas/managed-user.js'
import type { AccountToAdd } from './account.js'

/** The account in one row. */
export type ImportedAccount = Omit<AccountToAdd, 'tenantId' | 'forcePasswordChange'> &
  Partial<Pick<AccountToAdd, 'forcePasswordChange'>>

const maxRemarkLength = 500
/** Far more than there are names for columns. */
const maxColumns = 100

type Refusal = Omit<Fault, 'field'>
/** Reads a cell: returns its value, or the fault. */
type CellReader<T = unknown> = (text: string) => T | Refusal

const text: CellReader<string> = (value) => value
/** Secrets are read as they are: an export does not contain any. */
const secrets = ['password', 'passwordHash']
const trimmed: CellReader<string> = trimBlanks
const oneOf =
  <T>(values: Record<string, T>): CellReader<T> =>
  (value) =>
    Object.entries(values).find(([word]) => word === value.trim().toLowerCase())?.[1] ?? {
      rule: 'enum',
      parameters: { allowedValues: Object.keys(values) },
    }
const numbers = (values: number[]) => Object.fromEntries(values.map((value) => [String(value), value]))
const textOfAtMost =
  (limit: number): CellReader<string> =>
  (value) =>
    [...value].length > limit ? { rule: 'maxLength', parameters: { limit } } : value

const roles: CellReader<string[]> = (value) => {
  const keys = [...new Set(splitCell(value))]
  return keys.length > maxRoles ? { rule: 'maxItems', parameters: { limit: maxRoles } } : keys
}

/** The columns, named as the fields of an account. A blank cell leaves the field unset. */
const columns = {
  username: trimmed,
  realName: trimmed,
  phone: text,
  email: text,
  roles,
  userType: oneOf(numbers(Object.values(userTypes))),
  tenant: trimmed,
  password: text,
  passwordHash: trimmed,
  forcePasswordChange: oneOf({ true: true, false: false }),
  userStatus: oneOf(numbers(Object.values(userStatuses))),
  gender: oneOf(numbers([0, 1, 2])),
  remark: textOfAtMost(maxRemarkLength),
} as const satisfies { [Name in keyof ImportedAccount]: CellReader<ImportedAccount[Name]> }

export type ImportColumn = keyof typeof columns
export const importColumns = Object.keys(columns) as ImportColumn[]

/** Columns of an export that nobody can set. */
const ignoredColumns = [
  'id',
  'avatar',
  'lastLoginTime',
  'lastLoginIp',
  'loginCount',
  'createTime',
  'updateTime',
] as const

/** A column of a file; null for one that is ignored. */
export type FileColumn = ImportColumn | null

/**
 * Reads the column names in the first line of `file`. Throws a `FileFault` that does not quote the line: in a file
 * without column names it may contain a password.
 */
export const readHeader = (file: string, cells: string[]): FileColumn[] => {
  const refuse = (message: string, rule: ViolationRule, parameters?: Fault['parameters']) =>
    new FileFault(`${file}: ${message}`, rule, parameters)
  if (cells.length > maxColumns)
    throw refuse(`the first line must name at most ${maxColumns} columns.`, 'workbook_columns', { limit: maxColumns })
  const header = cells.map((cell, index) => {
    const isNamed = (name: string) => namesColumn(cell, name)
    const column = importColumns.find(isNamed)
    if (column) return column
    if (ignoredColumns.some(isNamed)) return null
    throw refuse(
      `the first line must name the columns, and column ${index + 1} is none of ${importColumns.join(', ')}.`,
      'csv_unknown_column',
      { number: index + 1, columns: importColumns },
    )
  })
  const duplicate = header.find((column, index) => column !== null && header.indexOf(column) < index)
  if (duplicate) throw refuse(`the column ${duplicate} occurs twice.`, 'csv_column_twice', { column: duplicate })
  if (!header.includes('username')) throw refuse('the column username is missing.', 'csv_no_username')
  return header
}

/**
 * Reads the cells of one row and returns the faults of invalid cells. Throws `invalid_request` for a wrong number of cells.
 */
export const readRow = (header: FileColumn[], cells: string[]): { account: ImportedAccount; faults: Fault[] } => {
  if (cells.length !== header.length) throw invalidField('row', 'fields', { limit: header.length })
  const account: ImportedAccount = { username: '' }
  const faults: Fault[] = []
  for (const [index, field] of header.entries()) {
    const cell = cells[index] ?? ''
    if (field === null || cell.trim() === '') continue
    const value = secrets.includes(field) ? cell : fromSafeCell(cell)
    const read = value.includes('\0') ? ({ rule: 'nul' } as const) : columns[field](value)
    if (typeof read === 'object' && 'rule' in read) faults.push({ field, ...read })
    else Object.assign(account, { [field]: read })
  }
  return { account, faults }
}
