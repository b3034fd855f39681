import type { Random } from '../helpers/values/random.js'

/** A JSON Schema, with references into the document. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  default?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minItems?: number
}

const hostileNumbers = [0, -1, 0.5, 1e20, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_SAFE_INTEGER, 5e-324]
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  'ſß＠ıＡ',
  '%00',
  '%',
  '\r\nx: y',
  "' or 1=1 --",
  '"; drop table users; --',
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '=cmd|calc',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '1e308',
  '-1',
  '9'.repeat(400),
  'x'.repeat(5000),
  '*:*:*',
  'a@b.example,c.example',
  '+8613800138000',
  '2026-13-45T99:99:99Z',
  '127.0.0.1, 10.0.0.1',
]

const hostileOf = (random: Random, depth = 0): unknown => {
  const kind = random.below(depth > 2 ? 4 : 7)
  if (kind === 0) return random.pick(hostileNumbers)
  if (kind === 1) return random.pick([null, true, false])
  if (kind < 4) return random.pick(hostileTexts)
  if (kind === 4) return Array.from({ length: random.below(40) }, () => hostileOf(random, depth + 1))
  if (kind === 5) return { [random.pick(hostileTexts)]: hostileOf(random, depth + 1), __proto__: null }
  return [[[[[[[[random.pick(hostileTexts)]]]]]]]]
}

/** Makes values for the schemas of a document: valid ones mostly, and hostile ones. */
export const createValues = (document: object, random: Random) => {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema
    const path = schema.$ref.slice(2).split('/')
    return resolve(path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document) as Schema)
  }

  const validOf = (given: Schema, depth: number): unknown => {
    const schema = resolve(given)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    if (schema.examples && random.chance(0.7)) return random.pick(schema.examples)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return of(random.pick(options), depth)
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => of(part, depth)))
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
    if (type === 'integer' || type === 'number')
      return random.pick([1, 2, 3, schema.minimum ?? 0, schema.maximum ?? 10])
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'null') return null
    if (type === 'array') {
      const { items = {}, minItems = 0 } = schema
      return Array.from({ length: minItems + random.below(4) }, () => of(items, depth + 1))
    }
    if (type === 'object' || schema.properties) return objectOf(schema, depth)
    return random.pick(['alice', 'admin', 'a text', '1', '2026-06-01', 'editor', `name${random.below(1e6)}`])
  }

  const objectOf = ({ properties = {}, required = [] }: Schema, depth: number): Record<string, unknown> => {
    const value: Record<string, unknown> = {}
    for (const [name, schema] of Object.entries(properties))
      if (random.chance(required.includes(name) ? 0.97 : 0.5)) value[name] = of(schema, depth + 1)
    if (random.chance(0.1)) value[random.pick(hostileTexts)] = hostileOf(random)
    return value
  }

  const of = (schema: Schema, depth = 0): unknown => {
    if (depth > 6) return null
    return depth > 0 && random.chance(0.15) ? hostileOf(random) : validOf(schema, depth)
  }

  return {
    of,
    hostile: () => hostileOf(random),
    text: () => random.pick(hostileTexts),
  }
}
