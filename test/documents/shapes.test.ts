import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { documentSchemas } from '../helpers/documents/document.js'
import { expectProblem } from '../helpers/service/expect.js'
import { fieldTypes, type FieldTypes, type TypedDocument } from '../helpers/documents/field-types.js'
import { root } from '../helpers/processes/project.js'
import { startServer } from '../helpers/service/server.js'

const readJson = (path: string): any => JSON.parse(readFileSync(join(root, path), 'utf8'))
const document = readJson('openapi.json')
const schemas: Record<string, any> = document.components.schemas
const known: FieldTypes = readJson('test/fixtures/field-types.json')
const types = fieldTypes(document as TypedDocument, new Set(Object.keys(schemas)))

test('no field or parameter that clients know has disappeared or changed its type', (t) => {
  const names = Object.keys(known).filter((name) => !name.includes(' '))
  const now = fieldTypes(document as TypedDocument, new Set(names))
  for (const [owner, fields] of Object.entries(known))
    for (const [field, type] of Object.entries(fields)) t.equal(now[owner]?.[field], type, `${owner} ${field}`)
  t.end()
})

test('a time that is new since then is RFC 3339', (t) => {
  for (const [owner, fields] of Object.entries(types)) {
    for (const [field, type] of Object.entries(fields)) {
      if (!/(^|\.)(time|\w+Time)$/.test(field) || known[owner]?.[field]) continue
      t.match(type, /^string date-time(\|null)?$/, `${owner} ${field}`)
    }
  }
  t.equal(types['UserRecord']?.['createTime'], 'string date-time')
  t.end()
})

test('what may be null says so by its type, without a union', (t) => {
  t.notMatch(JSON.stringify(document), /"anyOf":\[[^\]]*"null"/)
  t.same(schemas['UserRecord'].properties.phone.type, ['string', 'null'])
  t.end()
})

test('an enumeration has a name, and each of its values a meaning', (t) => {
  const enumerations = Object.entries(schemas).filter(([, schema]) => 'enum' in schema)
  t.ok(enumerations.length > 10)
  for (const [name, schema] of enumerations) {
    const values: (string | number)[] = schema.enum
    t.equal(schema['x-enum-descriptions'].length, values.length, name)
    if (schema.type === 'integer') t.equal(schema['x-enum-varnames'].length, values.length, name)
    for (const value of values) t.match(schema.description, `\`${value}\``, name)
  }
  const inline = Object.entries(schemas).flatMap(([owner, { properties = {} }]) =>
    Object.entries<any>(properties)
      .filter(([, property]) => property.enum?.length > 1)
      .map(([field]) => `${owner}.${field}`),
  )
  t.same(inline, [], 'no shape has a list of values of its own')
  t.equal(schemas['UserRecord'].properties.userStatus.$ref, '#/components/schemas/UserStatus')
  t.end()
})

const filled: Record<string, string> = {
  username: 'admin',
  password: 'correct horse battery',
  code: 'abcd',
  codeKey: 'captcha:1',
  phone: '13800138000',
  email: 'alice@example.com',
  authCode: '1',
  state: 'github_1',
  socialTicket: '1',
}
const shapes: { $ref: string }[] = schemas['LoginRequest'].oneOf
const shapeOf = (reference: string) => schemas[reference.slice('#/components/schemas/'.length)]
const bodyOf = (shape: any): Record<string, string> =>
  Object.fromEntries([
    ['authType', shape.properties.authType.enum[0]],
    ...shape.required.filter((field: string) => field !== 'authType').map((field: string) => [field, filled[field]]),
  ])

test('a sign-in is one of six shapes, chosen by authType; the shortest has a user name and a password', (t) => {
  const isLogin = documentSchemas(document).validate('LoginRequest')
  t.equal(shapes.length, 6)
  for (const { $ref } of shapes) t.equal(isLogin(bodyOf(shapeOf($ref))), undefined, $ref)
  const { username = '', password = '' } = filled
  t.equal(isLogin({ username, password }), undefined)
  t.equal(isLogin({ username, password, tenantId: 1, appId: 'console' }), undefined, 'fields that are not known')
  t.ok(isLogin({ username }))
  t.ok(isLogin({ authType: 'password_captcha', username, password }), 'without the captcha')
  t.ok(isLogin({ authType: 'ldap', username, password }))
  t.end()
})

test('the server asks for what a shape requires, and validates the flat form as it always did', async (t) => {
  const sms = { sender: 'webhook', webhook: { url: 'https://example.com/sms', secret: 'none' } }
  const provider = { platform: 'example', kind: 'github', clientId: 'none', clientSecret: 'none' }
  const federation = { providers: [{ ...provider, redirectUris: ['https://example.com/social'] }] }
  const server = await startServer(t, { settings: { mail: { url: 'smtp://localhost' }, sms, federation } })
  for (const { $ref } of shapes) {
    const shape = shapeOf($ref)
    for (const field of shape.required.filter((name: string) => name !== 'authType')) {
      for (const value of [undefined, null, '']) {
        const json = { ...bodyOf(shape), [field]: value }
        const answer = await server.call('POST', '/auth/login', { json })
        const isCaptcha = shape.properties.authType.enum[0] === 'password_captcha' && field.startsWith('code')
        if (isCaptcha) expectProblem(t, answer, 'captcha_required')
        else expectProblem(t, answer, 'invalid_request', [field])
      }
    }
  }
  // Every field at once, whatever the method needs: what front ends send that know one form for all methods.
  const unused = { phone: '', email: null, authCode: '', socialTicket: '', tenantId: null, appId: 'x', encrypted: true }
  const json = { ...unused, authType: 'password', username: 'admin', password: 'wrong horse battery' }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_credentials')
  const everything = { ...filled, authType: 'password', password: 'wrong horse battery' }
  expectProblem(t, await server.call('POST', '/auth/login', { json: everything }), 'invalid_credentials')
})
