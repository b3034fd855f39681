import { fold } from '../../../db/fold.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { readTextCell, splitCell } from '../../../lib/csv-cells.js'
import { inLanguages, type Fault } from '../../../lib/violations.js'
import type { ImportColumn, OperatorColumn } from '../../../schemas/import-columns.js'
import { maxRoles, userFields } from '../../../schemas/managed-user.js'
import type { Language } from '../../../schemas/problems.js'
import { valueLabels, type LabelledField, type ValueLabel } from '../../../schemas/value-labels.js'
import type { AccountToAdd } from './account.js'

/** 16 characters are 80 bits: fewer than the 128 that RFC 4226 4 asks for, and what many systems have. */
const base32 = /^[A-Z2-7]{16,64}$/

/** What apps take for granted where the address says nothing, and the only apps whose codes are checked here. */
const usualApp = { algorithm: 'SHA1', digits: '6', period: '30' }

/** The secret in the address of a QR code, `otpauth://totp/…?secret=…`; undefined for an app of another kind. */
const secretOfAddress = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { host, searchParams } = new URL(address)
  const isKnown = Object.entries(usualApp).every(
    ([name, value]) => (searchParams.get(name) ?? value).toUpperCase().replace('-', '') === value,
  )
  return host.toLowerCase() === 'totp' && isKnown ? (searchParams.get('secret') ?? undefined) : undefined
}

/**
 * Reads the secret of an authenticator app: base32 as apps show it, in groups, in small letters, with padding, or the address in its QR
 * code. Undefined for a text that is none.
 */
const readTotpSecret = (text: string): string | undefined => {
  const copied = cleanCopied(text)
  const written = /^otpauth:/i.test(copied) ? secretOfAddress(copied) : copied
  const secret = written?.replace(/[\s=-]/g, '').toUpperCase()
  return secret !== undefined && base32.test(secret) ? secret : undefined
}

/** The account in one row. */
export type ImportedAccount = Omit<AccountToAdd, 'tenantId' | 'forcePasswordChange'> &
  Partial<Pick<AccountToAdd, 'forcePasswordChange'>>

type Refusal = Omit<Fault, 'field'>
/** Reads a cell: returns its value, or the fault. */
type CellReader<T = unknown> = (text: string) => T | Refusal

const text: CellReader<string> = (value) => value
/** Read as they are: an export does not contain any, and a password may look like anything. */
const secrets = ['password', 'passwordHash', 'totpSecret']
const trimmed: CellReader<string> = cleanCopied
/** `13800138000.0` is what programs write that take all numbers of a column with empty cells for fractions. */
const wholeNumber = (value: string): string => cleanCopied(value).replace(/^(\+?\d+)\.0+$/, '$1')
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
    values.get(fold(wholeNumber(text))) ?? { rule: 'enum', parameters: { allowedValues } }
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

const totpSecret: CellReader<string> = (value) => readTotpSecret(value) ?? { rule: 'totp_secret' }

/** How the columns are read, which are named as the fields of an account. A blank cell leaves the field unset. */
const readers = {
  username: trimmed,
  realName: trimmed,
  phone: wholeNumber,
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

export const isImported = (column: string): column is ImportColumn | OperatorColumn => column in readers

/** Reads a cell that is not empty: its value, or what is wrong with it. */
export const readCell = (column: ImportColumn | OperatorColumn, cell: string): { value: unknown } | Refusal => {
  const text = secrets.includes(column) ? cell : readTextCell(cell)
  if (text.includes('\0')) return { rule: 'nul' }
  const read = readers[column](text)
  return typeof read === 'object' && 'rule' in read ? read : { value: read }
}
