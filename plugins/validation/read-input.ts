interface InputSchema {
  properties?: Record<string, { type?: string }>
}

/** Decimal digits only: `1e20`, `0x10`, `1.0` and ` 1` are not integers here. 15 digits fit a JavaScript number exactly. */
const integerText = /^[+-]?\d{1,15}$/

/**
 * Prepares the fields of a request for validation: `null` and `""` mean absent, integers may come as text (query and
 * form fields always do), and an integer beyond what a number holds exactly stays what no rule accepts.
 * Anything but an object passes unchanged, for the schema to refuse.
 */
export const readInput = (schema: InputSchema, input: unknown): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === '') continue
    const isInteger = schema.properties?.[name]?.type === 'integer'
    if (isInteger && typeof value === 'string' && integerText.test(value)) fields[name] = Number(value)
    else if (isInteger && typeof value === 'number' && !Number.isSafeInteger(value)) fields[name] = String(value)
    else fields[name] = value
  }
  return fields
}
