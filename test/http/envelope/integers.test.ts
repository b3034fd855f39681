import { test } from 'tap'
import { documentOf } from '../../helpers/documents/document.js'
import { startServer } from '../../helpers/service/server.js'

type Schema = Record<string, any>
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  example?: unknown
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Described {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const numbers = [1e308, -1e308, 1e20, 2 ** 63, 2 ** 53, -(2 ** 53), 2 ** 31, -(2 ** 31) - 1, 2 ** 15, 0, -1]
const texts = numbers.map((number) => (Math.abs(number) > 1e300 ? String(number) : BigInt(number).toString()))

const isInteger = ({ type }: Schema): boolean => [type].flat().includes('integer')

/** Places of a document, by the path to them, whose value is the schema of an integer. */
const integersOf = (part: unknown, path = '#'): [path: string, schema: Schema][] => {
  if (typeof part !== 'object' || part === null) return []
  const found = Object.entries(part).flatMap(([key, value]) => integersOf(value, `${path}/${key}`))
  return isInteger(part) ? [[path, part], ...found] : found
}

test('every integer of the document has a minimum and a maximum that both engines hold', async (t) => {
  const server = await startServer(t)
  const integers = integersOf(documentOf(server) as Described)
  t.ok(integers.length > 150, `${integers.length} integers`)
  for (const [path, { minimum, maximum }] of integers)
    if (!Number.isSafeInteger(minimum) || !Number.isSafeInteger(maximum)) t.fail(`${path}: ${minimum} to ${maximum}`)
})

test('no integer of a request makes the service fail, however large or small', async (t) => {
  const server = await startServer(t)
  const { paths, components } = documentOf(server) as Described
  const resolve = (schema: Schema): Schema => {
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
    const found = name === undefined ? schema : (components.schemas[name] ?? {})
    if (!Array.isArray(found['oneOf'])) return found
    const branches = (found['oneOf'] as Schema[]).map(resolve)
    return { ...branches[0], properties: Object.assign({}, ...branches.map(({ properties }) => properties as Schema)) }
  }
  const exampleOf = (schema: Schema): unknown => {
    const { examples, type, items, enum: values } = resolve(schema)
    if (examples) return (examples as unknown[])[0]
    if (values) return (values as unknown[])[0]
    return type === 'array' ? [exampleOf(items as Schema)] : isInteger({ type }) ? 2 : 'x'
  }

  let count = 0
  let token = (await server.signIn()).accessToken
  const send = async (method: string, path: string, query: Record<string, string>, json?: unknown) => {
    count++
    const { status, text } = await server.call(method, path, { token, query, ...(json === undefined ? {} : { json }) })
    if (status === 401) token = (await server.signIn()).accessToken
    if (status >= 500) t.fail(`${method} ${path} ${JSON.stringify(query)} ${JSON.stringify(json)}: ${text}`)
  }

  for (const [template, item] of Object.entries(paths)) {
    for (const [verb, { parameters = [], requestBody }] of Object.entries(item)) {
      const method = verb.toUpperCase()
      const valueOf = ({ schema, example = exampleOf(schema) }: Parameter) => String(example)
      const call = (named: Record<string, string>, body?: unknown) => {
        const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          const parameter = parameters.find((one) => one.name === name)
          return encodeURIComponent(named[name] ?? (parameter ? valueOf(parameter) : '2'))
        })
        const query = parameters
          .filter((one) => one.in === 'query' && (one.required === true || one.name in named))
          .map((one) => [one.name, named[one.name] ?? valueOf(one)])
        return send(method, path, Object.fromEntries(query) as Record<string, string>, body)
      }
      const json = requestBody?.content['application/json']
      const shape = json ? resolve(json.schema) : undefined
      const properties = (shape?.['properties'] ?? {}) as Record<string, Schema>
      const isNeeded = (name: string) => ((shape?.['required'] ?? []) as string[]).includes(name)
      const base = Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => isNeeded(name))
          .map(([name, schema]) => [name, exampleOf(schema)]),
      )
      for (const { name, schema } of parameters)
        if (isInteger(resolve(schema))) for (const text of texts) await call({ [name]: text }, shape ? base : undefined)
      if (shape?.['type'] === 'array') for (const number of numbers) await call({}, [number])
      for (const [name, schema] of Object.entries(properties)) {
        const { type, items } = resolve(schema)
        const isList = type === 'array' && isInteger(resolve(items as Schema))
        if (!isList && !isInteger(resolve(schema))) continue
        for (const number of numbers) await call({}, { ...base, [name]: isList ? [number] : number })
      }
    }
  }
  t.ok(count > 500, `${count} requests`)
})

test('a page number or size of any size is corrected, not refused', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows: [pageNum: string, pageSize: string, current: number, size: number][] = [
    ['-99999999999999999999', '-99999999999999999999', 1, 10],
    ['0', '0', 1, 10],
    ['99999999999999999999', '99999999999999999999', Number.MAX_SAFE_INTEGER, 100],
    [String(2 ** 31), String(2 ** 31), 2 ** 31, 100],
  ]
  for (const path of ['user', 'role', 'tenant', 'session', 'audit', 'login-log']) {
    for (const [pageNum, pageSize, current, size] of rows) {
      const answer = await server.call('GET', `/system/${path}/page`, { token, query: { pageNum, pageSize } })
      t.equal(answer.status, 200, answer.text)
      t.match(answer.body.data, { current, size }, path)
    }
  }
})
