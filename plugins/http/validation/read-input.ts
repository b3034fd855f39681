interface InputSchema {
  properties?: Record<string, { type?: string | string[] }>
}

const isOf = (type: string, { type: types = [] }: { type?: string | string[] } = {}): boolean =>
  [types].flat().includes(type)

/** Decimal digits only: `1e20`, `0x10`, `1.0` and ` 1` are refused. */
const integerText = /^[+-]?\d+$/

/** Clamps to the safe integers: a clamped value still exceeds every limit. */
const toInteger = (text: string): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))

/**
 * Prepares the fields of a request for validation: removes `null` and `""`, which mean absent, and converts integers that
 * are sent as text, as in queries and forms. A field whose schema allows `null` keeps it, for a value that is to be cleared.
 * Other values than objects are returned unchanged.
 */
export const readInput = (schema: InputSchema, input: unknown): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const property = schema.properties?.[name]
    const isInteger = isOf('integer', property)
    // Blank text counts as absent for integers only: a password may consist of spaces.
    if (value === null || value === '' || (isInteger && typeof value === 'string' && value.trim() === '')) {
      if (isOf('null', property)) fields[name] = null
      continue
    }
    if (isInteger && typeof value === 'string' && integerText.test(value)) fields[name] = toInteger(value)
    else fields[name] = value
  }
  return fields
}

/** Faults for fields with a NUL character: SQLite ends a pattern there, and PostgreSQL refuses it. */
export const nulCharacters = (input: unknown) =>
  Object.entries((input ?? {}) as Record<string, unknown>)
    .filter(([, value]) => [value].flat().some((item) => typeof item === 'string' && item.includes('\0')))
    .map(([name]) => ({ keyword: 'nul', instancePath: `/${name}`, params: {} }))
