import { userStatuses, userTypes } from '../../schemas/user.js'
import { OperatorError } from '../../lib/operator-error.js'
import { invalidField } from '../../lib/problem.js'
import type { Fault } from '../../lib/violations.js'
import type { AccountToAdd } from './account.js'

/** What a row says about one account. */
export type ImportedAccount = Omit<AccountToAdd, 'tenantId' | 'forcePasswordChange'> &
  Partial<Pick<AccountToAdd, 'forcePasswordChange'>>

/** Separates the roles of one user. */
const roleSeparator = '|'
const maxRemarkLength = 500

type Refusal = Omit<Fault, 'field'>
/** The value of a cell, or what is wrong with it. */
type Reading<T = unknown> = (text: string) => T | Refusal

const text: Reading<string> = (value) => value
const trimmed: Reading<string> = (value) => value.trim()
const oneOf =
  <T>(values: Record<string, T>): Reading<T> =>
  (value) =>
    Object.entries(values).find(([word]) => word === value.trim().toLowerCase())?.[1] ?? {
      rule: 'enum',
      parameters: { allowedValues: Object.keys(values) },
    }
const numbers = (values: number[]) => Object.fromEntries(values.map((value) => [String(value), value]))
const upTo =
  (limit: number): Reading<string> =>
  (value) =>
    [...value].length > limit ? { rule: 'maxLength', parameters: { limit } } : value

/** The columns, named as the fields that they fill. A blank cell says nothing. */
const columns = {
  username: text,
  realName: text,
  phone: text,
  email: text,
  roles: (value) => value.split(roleSeparator).map((key) => key.trim()),
  userType: oneOf(numbers(Object.values(userTypes))),
  tenant: trimmed,
  password: text,
  passwordHash: trimmed,
  forcePasswordChange: oneOf({ true: true, false: false }),
  userStatus: oneOf(numbers(Object.values(userStatuses))),
  gender: oneOf(numbers([0, 1, 2])),
  remark: upTo(maxRemarkLength),
} as const satisfies { [Name in keyof ImportedAccount]: Reading<ImportedAccount[Name]> }

export type ImportColumn = keyof typeof columns
export const importColumns = Object.keys(columns) as ImportColumn[]

/** `real_name`, `Real Name` and `realName` are one column. */
const fold = (name: string) => name.replace(/[\s_-]/g, '').toLowerCase()

/**
 * The columns that the first line of `file` names. Throws an `OperatorError`, which does not quote the line: in a file
 * without names it may hold a password.
 */
export const readHeader = (file: string, cells: string[]): ImportColumn[] => {
  const refuse = (message: string) => new OperatorError(`${file}: ${message}`)
  const header = cells.map((cell, index) => {
    const column = importColumns.find((name) => fold(name) === fold(cell))
    if (column) return column
    throw refuse(
      `the first line must name the columns, and column ${index + 1} is none of ${importColumns.join(', ')}.`,
    )
  })
  const doubled = header.find((column, index) => header.indexOf(column) < index)
  if (doubled) throw refuse(`the column ${doubled} is there twice.`)
  if (!header.includes('username')) throw refuse('the column username is missing.')
  return header
}

/** Reads the cells of one row; what cannot be read is a fault. Throws `invalid_request` for a row of another length. */
export const readRow = (header: ImportColumn[], cells: string[]): { account: ImportedAccount; faults: Fault[] } => {
  if (cells.length !== header.length) throw invalidField('row', 'fields', { limit: header.length })
  const account: ImportedAccount = { username: '' }
  const faults: Fault[] = []
  for (const [index, field] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell.trim() === '') continue
    const read = cell.includes('\0') ? ({ rule: 'nul' } as const) : columns[field](cell)
    if (typeof read === 'object' && 'rule' in read) faults.push({ field, ...read })
    else Object.assign(account, { [field]: read })
  }
  return { account, faults }
}
