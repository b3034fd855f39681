interface InputSchema {
  properties?: Record<string, { type?: string }>
}

/** Decimal digits only: `1e20`, `0x10`, `1.0` and ` 1` are not integers here. */
const integerText = /^[+-]?\d+$/

/** An integer too large for a number becomes the largest: too large it stays for whatever reads it. */
const toInteger = (text: string): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))

/**
 * Prepares the fields of a request for validation: `null` and `""` mean absent, integers may come as text (query and
 * form fields always do).
 * Anything but an object passes unchanged, for the schema to refuse.
 */
export const readInput = (schema: InputSchema, input: unknown): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const isInteger = schema.properties?.[name]?.type === 'integer'
    // A password may be all spaces; a number may not.
    if (value === null || value === '' || (isInteger && typeof value === 'string' && value.trim() === '')) continue
    if (isInteger && typeof value === 'string' && integerText.test(value)) fields[name] = toInteger(value)
    else fields[name] = value
  }
  return fields
}

/**
 * Faults for the fields that hold a NUL character: no name or password does, SQLite ends a pattern there, and
 * PostgreSQL refuses it.
 */
export const nulCharacters = (input: unknown) =>
  Object.entries((input ?? {}) as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'string' && value.includes('\0'))
    .map(([name]) => ({ keyword: 'nul', instancePath: `/${name}`, params: {} }))
