type Schema = Record<string, any>
interface Parameter {
  name: string
  in: string
  schema: Schema
}
export interface TypedDocument {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
  components: { schemas: Record<string, Schema> }
}
/** Types of fields by the name of their shape, or by their operation if they are parameters. */
export type FieldTypes = Record<string, Record<string, string>>

const lastOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/**
 * The type of every field and parameter of an OpenAPI document, such as `string|null` or `integer int64[]`. The name of an
 * object counts as its type where it is one of `names`; other names are looked through.
 */
export const fieldTypes = ({ paths, components: { schemas } }: TypedDocument, names: Set<string>): FieldTypes => {
  const found: FieldTypes = {}
  const note = (owner: string, field: string, type: string) => ((found[owner] ??= {})[field] = type)

  const typeOf = (schema: Schema, owner: string, field: string): string => {
    const { $ref, anyOf, oneOf, type, format, items, properties } = schema
    if (typeof $ref === 'string') {
      const name = lastOf($ref)
      return names.has(name) ? name : typeOf(schemas[name] ?? {}, owner, field)
    }
    const branches = (anyOf ?? oneOf) as Schema[] | undefined
    if (branches) return [...new Set(branches.map((branch) => typeOf(branch, owner, field)))].join('|')
    if (type === 'array') return `${typeOf(items ?? {}, owner, `${field}[]`)}[]`
    if (properties) {
      for (const [name, inner] of Object.entries<Schema>(properties)) {
        const path = field === '' ? name : `${field}.${name}`
        note(owner, path, typeOf(inner, owner, path))
      }
    }
    // A kind of client is a string; the list of values is not its type.
    const suffix = format === undefined || format === 'user-client' ? '' : ` ${format}`
    return [type ?? 'any']
      .flat()
      .map((one: string) => (one === 'null' ? one : `${one}${suffix}`))
      .join('|')
  }

  for (const name of names) note(name, '', typeOf(schemas[name] ?? {}, name, ''))
  for (const [path, item] of Object.entries(paths))
    for (const [method, { parameters = [] }] of Object.entries(item))
      for (const { name, in: place, schema } of parameters)
        note(`${method.toUpperCase()} ${path}`, `${place} ${name}`, typeOf(schema, '', ''))
  return found
}
