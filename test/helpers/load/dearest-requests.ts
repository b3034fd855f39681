/** The largest body that is read, and a query about as long as a header may be. Bytes. */
const bodySize = 64 * 1024
const querySize = 15 * 1024

type Schema = Record<string, any>
interface Operation {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export interface DescribedDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface DearRequest {
  operationId: string
  /** What is dear about it. */
  sentence: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** `head`, as many units as fit, and `tail`. */
const fill = (size: number, head: string, unit: (index: number) => string, tail = ''): string => {
  const parts = [head]
  let left = size - head.length - tail.length
  for (let index = 0; ; index++) {
    const part = unit(index)
    if (part.length > left) return parts.join('') + tail
    parts.push(part)
    left -= part.length
  }
}

/** Lists that a schema may look at item by item. */
const items: [sentence: string, unit: (index: number) => string][] = [
  ['fractions', () => '0.5,'],
  ['different integers', (index) => `${index + 1_000_000},`],
  ['equal integers', () => '7,'],
  ['different texts', (index) => `"q${index}",`],
  ['equal texts', () => '"q",'],
  ['different permissions', (index) => `"p${index}:*:r",`],
  ['objects', () => '{},'],
  ['lists', () => '[],'],
]
const lists = items.map(([sentence, unit]) => ({
  sentence,
  inside: (head: string, tail: string) => fill(bodySize, `${head}[`, unit, `7]${tail}`),
}))

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Texts of the length of a body. */
const texts: [sentence: string, unit: string][] = [
  ['letters', 'a'],
  ['escaped NUL characters', '\\u0000'],
  ['segments', 'a:'],
  ['addresses', 'a@'],
  ['spaces', ' '],
]

const jsonBodies = (schema: Schema): [sentence: string, body: string][] => {
  if (schema['type'] === 'array') return lists.map(({ sentence, inside }) => [`a list of ${sentence}`, inside('', '')])
  const names = Object.keys(schema['properties'] ?? {})
  const ofNames = names.flatMap((name): [string, string][] => {
    const field = schema['properties'][name] as Schema
    const start = `{"${name}":`
    const isList = field['type'] === 'array'
    return [
      ...lists
        .filter((_, index) => isList || index % 4 === 0)
        .map(({ sentence, inside }): [string, string] => [`${name}: a list of ${sentence}`, inside(start, '}')]),
      ...(isList ? [] : texts).map(([sentence, unit]): [string, string] => [
        `${name}: ${sentence}`,
        fill(bodySize, `${start}"`, () => unit, '"}'),
      ]),
      [`${name}: lists 2,000 deep`, `${start}${deep(2_000)}}`],
    ]
  })
  return [
    ...ofNames,
    ['fields without a schema', fill(bodySize, '{', (index) => `"k${index}":"\\u0000",`, '"k":1}')],
    ['lists 32,000 deep', deep(32_000)],
    ['half a body', fill(bodySize, '{"k":[', () => '1,')],
  ]
}

const pairs = (names: string[]): [sentence: string, unit: (index: number) => string][] => [
  ['different fields with NUL', (index) => `k${index}=%00&`],
  ['one field again and again', () => 'k=%00&'],
  ['separators', () => '&'],
  ...names.map((name): [string, () => string] => [`${name} again and again`, () => `${name}=%00&`]),
  ...names.map((name): [string, () => string] => [`${name}: a long text`, () => '%C3%A4']),
]
const encoded = (size: number, names: string[]): [sentence: string, text: string][] =>
  pairs(names).map(([sentence, unit]) => {
    const [name = '', kind] = sentence.split(': ')
    return [sentence, fill(size, kind === undefined ? '' : `${name}=`, unit)]
  })

const headers: [sentence: string, headers: Record<string, string>][] = [
  ['a long token', { authorization: `Bearer ${'a.'.repeat(7_000)}` }],
  ['many cookies', { cookie: fill(querySize, '', (index) => `c${index}=%41;`) }],
  ['many languages', { 'accept-language': fill(querySize, '', (index) => `a${index};q=0.1,`, 'en') }],
  ['many addresses', { 'x-forwarded-for': fill(querySize, '', () => '1.1.1.1,', '2.2.2.2') }],
]

const csv = 'username,roles\r\n'
const files: [sentence: string, body: string][] = [
  ['a cell of equal roles', fill(bodySize, `${csv}q,`, () => 'q|', '\r\n')],
  ['a cell of different roles', fill(bodySize, `${csv}q,`, (index) => `q${index}|`, '\r\n')],
  ['short rows', fill(bodySize, csv, () => '1\n')],
  ['rows that are refused', fill(bodySize, csv, (index) => `u${index},r\n`)],
  ['empty cells', fill(bodySize, csv, () => ',', '\r\n')],
  ['many columns', fill(bodySize, 'username', () => ',avatar', '\r\n')],
  ['quotes', fill(bodySize, csv, () => '""', '\r\n')],
]

/** The dearest requests of 64 KiB for each operation of a document. */
export const dearestRequests = ({ paths, components: { schemas } }: DescribedDocument): DearRequest[] => {
  const resolve = (schema: Schema): Schema => {
    const target = typeof schema['$ref'] === 'string' ? schema['$ref'].slice('#/components/schemas/'.length) : undefined
    const found = target === undefined ? schema : (schemas[target] ?? {})
    if (!Array.isArray(found['oneOf'])) return found
    // One shape for each way to sign in: all their fields.
    const properties = (found['oneOf'] as Schema[]).map((branch) => resolve(branch)['properties'] as Schema)
    return { type: 'object', properties: Object.assign({}, ...properties) }
  }
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([verb, { operationId, parameters = [], requestBody }]) => {
      const path = template.replaceAll(/\{\w+\}/g, '999999')
      const method = verb.toUpperCase()
      const request = (sentence: string, more: Partial<DearRequest>): DearRequest[] => [
        { operationId, sentence, method, path, headers: {}, ...more },
      ]
      const queries = encoded(
        querySize,
        parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      )
      const found = [
        ...queries.flatMap(([sentence, query]) => request(`query: ${sentence}`, { path: `${path}?${query}` })),
        ...headers.flatMap(([sentence, more]) => request(sentence, { headers: more })),
      ]
      for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
        const shape = resolve(schema)
        const bodies: [sentence: string, body: string][] = type.endsWith('json')
          ? jsonBodies(shape)
          : type === 'text/csv'
            ? files
            : type.endsWith('urlencoded')
              ? encoded(bodySize, Object.keys(shape['properties'] ?? {}))
              : []
        for (const [sentence, body] of bodies)
          found.push(...request(`${type}: ${sentence}`, { headers: { 'content-type': type }, body }))
      }
      return found
    }),
  )
}
