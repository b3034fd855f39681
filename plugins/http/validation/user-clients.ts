import { userClientFormat } from '../../../schemas/login.js'

interface InputSchema {
  properties?: Record<string, { format?: string }>
}

/**
 * Refuses kinds of clients that the configuration does not name. Not an `enum` of the schemas: these are shared by all apps of
 * a process, whose configurations differ.
 */
export const createUserClientCheck = (names: string[]) => (schema: InputSchema) => {
  const fields = Object.entries(schema.properties ?? {})
    .filter(([, { format }]) => format === userClientFormat)
    .map(([field]) => field)
  return (input: unknown) =>
    fields
      .filter((field) => {
        const value = (input as Record<string, unknown> | null)?.[field]
        return typeof value === 'string' && !names.includes(value)
      })
      .map((field) => ({ keyword: 'enum', instancePath: `/${field}`, params: { allowedValues: names } }))
}
