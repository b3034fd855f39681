import type { Plugin } from '@fastify/swagger-ui/static/swagger-ui-bundle.js'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const partOf = (document: unknown, path: readonly string[]): unknown =>
  path.reduce((place: unknown, key) => (isObject(place) ? place[key] : undefined), document)

/** The keys of a JSON Pointer in a fragment (RFC 6901 6). */
const keysOf = (reference: string): string[] =>
  reference
    .slice('#/'.length)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** A shape inside itself stays a reference. */
const resolve = (value: unknown, document: object, above: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, document, above))
  if (!isObject(value)) return value
  const resolveEach = (fields: Json) =>
    Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, resolve(item, document, above)]))
  const { $ref, ...others } = value
  if (typeof $ref !== 'string' || above.includes($ref)) return resolveEach(value)
  const target = resolve(partOf(document, keysOf($ref)), document, [...above, $ref])
  return { ...(target as Json), ...resolveEach(others) }
}

/**
 * Resolves the references of the documents, which are all to their own `components`. Swagger UI's way for OpenAPI 3.1 reads the whole
 * document into objects first, which takes seconds before the first operation is shown. JSON is not read by its parser of YAML either.
 */
export const references: Plugin = {
  fn: {
    resolveSubtree: async (document: object, path: string[]) => ({
      errors: [],
      spec: resolve(partOf(document, path), document, []),
    }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_original, { specActions }) =>
          (text: string) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
}
