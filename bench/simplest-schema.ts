import { components } from '../schemas/index.js'

type Schema = Record<string, unknown>

const named = new Map(components.map((component) => [`${component.$id}#`, component as Schema]))

/**
 * A schema of the same responses with the least work for the serializer: references resolved, plain types instead of unions
 * with `null`, no formats.
 */
export const simplest = (schema: unknown): Schema => {
  const { $ref, type, properties, items, ...rest } = schema as Schema
  if (typeof $ref === 'string') return simplest(named.get($ref))
  if (Array.isArray(type)) return { ...simplest({ ...(schema as Schema), type: type[0] as unknown }), nullable: true }
  const parts = Object.entries((properties ?? {}) as Schema).map(([name, part]) => [name, simplest(part)])
  for (const name of ['$id', 'format', 'title', 'description', 'examples']) Reflect.deleteProperty(rest, name)
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...(properties ? { properties: Object.fromEntries(parts) as Schema } : {}),
    ...(items ? { items: simplest(items) } : {}),
  }
}
