import { components } from '../schemas/index.js'

type Schema = Record<string, unknown>

const named = new Map(components.map((component) => [`${component.$id}#`, component as Schema]))

/**
 * A schema of the same responses with the least work for the serializer: references resolved, plain types instead of unions
 * with `null`, no formats.
 */
export const simplest = (schema: unknown): Schema => {
  const { $ref, anyOf, properties, items, ...rest } = schema as Schema
  if (typeof $ref === 'string') return simplest(named.get($ref))
  if (Array.isArray(anyOf)) {
    const value = anyOf.find((branch) => (branch as Schema)['type'] !== 'null') as unknown
    return { ...simplest(value), nullable: true }
  }
  const parts = Object.entries((properties ?? {}) as Schema).map(([name, part]) => [name, simplest(part)])
  for (const name of ['$id', 'format', 'description', 'examples']) Reflect.deleteProperty(rest, name)
  return {
    ...rest,
    ...(properties ? { properties: Object.fromEntries(parts) as Schema } : {}),
    ...(items ? { items: simplest(items) } : {}),
  }
}
