interface InputSchema {
  properties?: Record<string, { type?: string }>
}

/** Decimal digits only: `1e20`, `0x10`, `1.0` and ` 1` are refused. */
const integerText = /^[+-]?\d+$/

/** Clamps to the safe integers: a clamped value still exceeds every limit. */
const toInteger = (text: string): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))

/**
 * Prepares the fields of a request for validation: removes `null` and `""`, which mean absent, and converts integers that
 * are sent as text, as in queries and forms. Other values than objects are returned unchanged; the schema refuses them.
 */
export const readInput = (schema: InputSchema, input: unknown): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const isInteger = schema.properties?.[name]?.type === 'integer'
    // Blank text counts as absent for integers only: a password may consist of spaces.
    if (value === null || value === '' || (isInteger && typeof value === 'string' && value.trim() === '')) continue
    if (isInteger && typeof value === 'string' && integerText.test(value)) fields[name] = toInteger(value)
    else fields[name] = value
  }
  return fields
}

/** Faults for fields with a NUL character: SQLite ends a pattern there, and PostgreSQL refuses it. */
export const nulCharacters = (input: unknown) =>
  Object.entries((input ?? {}) as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'string' && value.includes('\0'))
    .map(([name]) => ({ keyword: 'nul', instancePath: `/${name}`, params: {} }))
