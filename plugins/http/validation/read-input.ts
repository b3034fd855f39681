import { cleanCopied } from '../../../lib/copied-text.js'
import { formerNames, refusesNull, trimsBlanks } from '../../../schemas/ref.js'

interface FieldSchema {
  type?: string | string[]
  maxItems?: number
  [trimsBlanks]?: boolean
  [formerNames]?: readonly string[]
}
interface InputSchema extends FieldSchema {
  additionalProperties?: boolean
  properties?: Record<string, FieldSchema>
  [refusesNull]?: boolean
}

const isOf = (type: string, { type: types = [] }: FieldSchema = {}): boolean => [types].flat().includes(type)

/** Whether the schema of a field asks for anything; a field that it only describes is accepted and not read. */
const isRead = (field: FieldSchema): boolean => Object.keys(field).some((keyword) => keyword !== 'description')

const isSent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Cuts a list that is too long to one item too many, which validation refuses without looking at all the others. */
const cut = (value: unknown, { maxItems = Infinity }: FieldSchema = {}): unknown =>
  Array.isArray(value) && value.length > maxItems ? value.slice(0, maxItems + 1) : value

/** Gives fields that are sent by a former name their name of today. With two former names of one field, neither is read. */
const createRename = (properties: Record<string, FieldSchema>) => {
  const renamed = Object.entries(properties).flatMap(([name, field]) =>
    field[formerNames] ? [[name, field[formerNames]] as const] : [],
  )
  if (renamed.length === 0) return (input: Record<string, unknown>) => input
  return (input: Record<string, unknown>): Record<string, unknown> => {
    const result = { ...input }
    for (const [name, formers] of renamed) {
      const sent = formers.filter((former) => isSent(input[former]))
      const [only] = sent
      if (!isSent(input[name]) && only !== undefined && sent.length === 1) result[name] = input[only]
    }
    return result
  }
}

/** Decimal digits only: `1e20`, `0x10`, `1.0` and ` 1` are refused. */
const integerText = /^[+-]?\d+$/

/** Clamps to the safe integers: no row has such a number, and a page that far is past the end. */
const toInteger = (text: string): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))

/**
 * Returns a function that prepares the fields of a request for validation: it takes those of the schema and no others, also by
 * their `formerNames`, trims those with `trimsBlanks`, removes `null` and `""`, which mean absent, and converts integers that
 * are sent as text, as in queries and forms. A field whose schema allows `null` keeps it, for a value that is to be cleared; with `refusesNull` all
 * fields keep it. A schema without `additionalProperties` gets everything as it is, and so do other values than objects.
 */
export const createReadInput = (schema: InputSchema) => {
  if (schema.additionalProperties === false) return (input: unknown): unknown => input
  const { properties = {}, [refusesNull]: keepsNull = false } = schema
  const names = Object.keys(properties).filter((name) => isRead(properties[name] ?? {}))
  const withType = (type: string) => new Set(names.filter((name) => isOf(type, properties[name])))
  const integers = withType('integer')
  const booleans = withType('boolean')
  const nullable = withType('null')
  const trimmed = new Set(names.filter((name) => properties[name]?.[trimsBlanks]))
  const read = new Set(names)
  const rename = createRename(properties)
  return (input: unknown): unknown => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return cut(input, schema)
    const fields: Record<string, unknown> = {}
    for (const [name, sent] of Object.entries(rename(input as Record<string, unknown>))) {
      if (!read.has(name)) continue
      const value = typeof sent === 'string' && trimmed.has(name) ? cleanCopied(sent) : sent
      const isIntegerText = typeof value === 'string' && integers.has(name)
      // Blank text counts as absent for integers only: a password may consist of spaces.
      if (value === null || value === '' || (isIntegerText && value.trim() === '')) {
        if (nullable.has(name) || (keepsNull && value === null)) fields[name] = null
        continue
      }
      if (isIntegerText && integerText.test(value)) fields[name] = toInteger(value)
      // As forms send them.
      else if (booleans.has(name) && (value === 'true' || value === 'false')) fields[name] = value === 'true'
      else fields[name] = cut(value, properties[name])
    }
    return fields
  }
}

const hasNul = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : Array.isArray(value) && value.some(hasNul)

/** Faults for fields with a NUL character: SQLite ends a pattern there, and PostgreSQL refuses it. */
export const nulCharacters = (input: unknown) =>
  Object.entries((input ?? {}) as Record<string, unknown>)
    .filter(([, value]) => hasNul(value))
    .map(([name]) => ({ keyword: 'nul', instancePath: `/${name}`, params: {} }))
