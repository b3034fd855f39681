import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { documentSchemas } from '../helpers/document.js'
import { root } from '../helpers/project.js'

interface Media {
  example?: unknown
  examples?: Record<string, { $ref: string }>
}
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const { validateAt } = documentSchemas(document)
const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
const find = (place: string) =>
  place
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** The places of all bodies of requests and answers. */
const bodies = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).flatMap(([method, operation]) => {
    const own = `#/paths/${escape(path)}/${method}`
    const places = [
      ...(operation.requestBody ? [`${own}/requestBody`] : []),
      ...Object.keys(operation.responses).map(
        (status) => operation.responses[status].$ref ?? `${own}/responses/${status}`,
      ),
    ]
    return places.flatMap((place) =>
      Object.keys(find(place).content).map((type) => ({ type, place: `${place}/content/${escape(type)}` })),
    )
  }),
)

test('every request and every answer has an example, and each example is valid', (t) => {
  t.ok(bodies.length > 150)
  for (const { type, place } of new Map(bodies.map((body) => [body.place, body])).values()) {
    const { example, examples = {} }: Media = find(place)
    const values = Object.values(examples).map(({ $ref }) => find($ref).value)
    if (example !== undefined) values.push(example)
    if (/^(multipart|application\/vnd)/.test(type)) continue
    if (type !== 'text/csv') t.ok(values.length > 0, `${place} has an example`)
    const fault = validateAt(`${place}/schema`)
    for (const value of values) t.equal(fault(value), undefined, `${place} ${JSON.stringify(value).slice(0, 80)}`)
  }
  t.end()
})

test('examples are values as they come, not placeholders', (t) => {
  const text = JSON.stringify(document.components.examples)
  t.notMatch(text, /"(text|string)"/)
  const { LoginConfigResponse, UserPageResponse, CompatUnitsResponse, PasswordLogin } = document.components.examples
  t.equal(LoginConfigResponse.value.data.enableCaptcha, true)
  t.match(UserPageResponse.value.data, { records: [{ username: 'alice', phone: /\*{6}/ }], total: 1, pages: 1 })
  t.same(CompatUnitsResponse.value.data[0].children, [])
  t.same(Object.keys(PasswordLogin.value), ['username', 'password'], 'the shortest sign-in')
  t.end()
})

test('every required parameter has an example that is valid', (t) => {
  for (const [path, item] of Object.entries<any>(document.paths)) {
    for (const [method, { parameters = [] }] of Object.entries<any>(item)) {
      for (const [index, { name, required, example }] of parameters.entries()) {
        if (!required) continue
        const place = `#/paths/${escape(path)}/${method}/parameters/${index}/schema`
        t.equal(validateAt(place)(example), undefined, `${method} ${path} ${name}: ${String(example)}`)
      }
    }
  }
  t.end()
})
