import { nameOf, operationsOf, refer, type Document, type Media, type Schema } from './document.js'

const isReference = (value: unknown): value is { $ref: string } =>
  typeof value === 'object' && value !== null && '$ref' in value

/** A file of users to import. */
const file = 'username,realName,email\r\nalice,Alice Liddell,alice@example.com\r\n'

/** Builds examples of shapes from the examples of their fields. */
const createExamples = (schemas: Record<string, Schema>) => {
  const resolved = (schema: Schema): Schema => {
    const name = nameOf(schema)
    return name === undefined ? schema : { ...schemas[name], ...schema }
  }
  const hasExample = (schema: Schema): boolean => 'examples' in resolved(schema)

  /** The fields of an answer are all there, but for those that say nothing. A request has the required ones, if any. */
  const fieldsOf = ({ properties = {}, required = [] }: Schema, isRequest: boolean): [string, Schema][] => {
    const all = Object.entries(properties as Record<string, Schema>)
    const needed = all.filter(([field]) => (required as string[]).includes(field))
    if (isRequest && needed.length > 0) return needed
    return all.filter((entry) => needed.includes(entry) || hasExample(entry[1]))
  }

  const exampleOf = (schema: Schema, isRequest: boolean): unknown => {
    const { examples, enum: values, type, items, ...rest } = resolved(schema)
    if (Array.isArray(examples)) return examples[0] as unknown
    if (Array.isArray(values)) return values[0] as unknown
    const types = [type].flat()
    if (types.includes('null')) return null
    if (types.includes('array')) {
      const { type: inner, $ref } = (items ?? {}) as Schema
      return inner === undefined && $ref === undefined ? [] : [exampleOf(items as Schema, isRequest)]
    }
    if (types.includes('object') || 'properties' in rest)
      return Object.fromEntries(fieldsOf(rest, isRequest).map(([name, field]) => [name, exampleOf(field, isRequest)]))
    if (types.includes('boolean')) return false
    return types.includes('integer') || types.includes('number') ? 0 : 'text'
  }
  return exampleOf
}

/**
 * Adds an example to each request and each answer with status 200; files that are not text have none. The example of a named shape is a component of that name;
 * a shape of several branches has one for each branch. `descriptions` are those of examples, by the name of their shape.
 */
export const addExamples = (document: Document, descriptions: ReadonlyMap<string, string>): void => {
  const { schemas } = document.components
  const shared: Record<string, { description?: string; value: unknown }> = {}
  const exampleOf = createExamples(schemas)
  const describe = (media: Media | undefined, isRequest: boolean): void => {
    const { schema } = media ?? {}
    if (!media || !schema) return
    const name = nameOf(schema)
    const branches = schemas[name ?? '']?.['oneOf']
    if (name === undefined) return
    const named = Array.isArray(branches) ? (branches as Schema[]) : [schema]
    media.examples = Object.fromEntries(
      named.map((shape) => {
        const shapeName = nameOf(shape) ?? name
        const description = descriptions.get(shapeName)
        shared[shapeName] ??= { ...(description && { description }), value: exampleOf(shape, isRequest) }
        return [shapeName, refer('examples', shapeName)]
      }),
    )
  }
  for (const { requestBody, responses } of operationsOf(document)) {
    for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
      if (type === 'text/csv') media.example = file
      else describe(media, true)
    }
    const answer = responses['200']
    if (answer && !isReference(answer)) for (const media of Object.values(answer.content ?? {})) describe(media, false)
  }
  document.components.examples = { ...document.components.examples, ...shared }
}
