import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { builtInAuthTypes, documentSchemas } from '../helpers/documents/document.js'
import { expectProblem } from '../helpers/service/expect.js'
import { fieldTypes, type FieldTypes } from '../helpers/documents/field-types.js'
import { root } from '../helpers/processes/project.js'
import { startServer } from '../helpers/service/server.js'
import { document, operations, resolve } from './committed-openapi.js'

const { schemas } = document.components
const known: FieldTypes = JSON.parse(readFileSync(join(root, 'test/fixtures/field-types.json'), 'utf8'))
const types = fieldTypes(document, new Set(Object.keys(schemas)))

test('no field or parameter that clients know has disappeared or changed its type', (t) => {
  const names = Object.keys(known).filter((name) => !name.includes(' '))
  const now = fieldTypes(document, new Set(names))
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

/** Every schema inside a part of the document, with the name under which it stands there. */
const schemasIn = (part: unknown, name = ''): { name: string; schema: Record<string, any> }[] => {
  if (typeof part !== 'object' || part === null) return []
  const { name: parameter } = part as { name?: unknown }
  // The items of a list and the branches of a union have the name of the property.
  const nameOf = (key: string) => {
    if (Array.isArray(part) || key === 'items' || key === 'anyOf') return name
    return key === 'schema' && typeof parameter === 'string' ? parameter : key
  }
  const inner = Object.entries(part).flatMap(([key, value]) => schemasIn(value, nameOf(key)))
  return 'type' in part ? [{ name, schema: part as Record<string, any> }, ...inner] : inner
}

test('ids, epochs and counts are integers of 64 bits, and nothing else is', (t) => {
  const integers = schemasIn(document).filter(({ schema }) => schema['type'] === 'integer')
  t.ok(integers.length > 50)
  for (const { name, schema } of integers) {
    const isLong =
      /^ids?$|^(tid|exp|iat|auth_time)$|Ids?$|Time$|^timestamp$|Count$|^(start|since|(signIns|refusals)(24h)?|users(WithoutFactor)?|liveSessions)$|^(withPassword|recentlyInvited|tenants|pendingLogouts)$|^(total|pages|current|pageNum)$/.test(
        name,
      )
    t.equal(schema['format'], isLong ? 'int64' : undefined, name)
  }
  t.end()
})

test('no property of a request has a default: generated clients would ask for it', (t) => {
  const bodies = operations.flatMap(({ operation }) => operation.requestBody ?? [])
  t.ok(bodies.length > 5)
  const withDefault = schemasIn([bodies, document.components]).filter(({ schema }) => 'default' in schema)
  t.same(withDefault, [])
  t.end()
})

/** The shapes of errors, and those of other standards. */
const withoutEnvelope = ['Problem', 'JsonWebKeySet', 'ServerMetadata', 'TokenIntrospection']

test('every answer is a named shape: no generated client has to invent a name', (t) => {
  const names = new Set<string>()
  for (const { name, operation } of operations) {
    const answers = Object.values(operation.responses).map((answer) => resolve(answer).content?.['application/json'])
    for (const media of answers) {
      if (!media) continue
      const { $ref = '' } = (media.schema ?? {}) as { $ref?: string }
      t.match($ref, /^#\/components\/schemas\/[A-Z][A-Za-z]+$/, name)
      names.add($ref.split('/').at(-1) ?? '')
    }
  }
  for (const name of ['UserPageResponse', 'LoginResultResponse', 'EmptyResponse', 'Problem'])
    t.ok(names.has(name), name)
  for (const name of names) {
    if (withoutEnvelope.includes(name)) continue
    t.strictSame(Object.keys(schemas[name].properties), ['code', 'message', 'data', 'timestamp'], name)
    const { data } = schemas[name].properties
    if (name === 'EmptyResponse') t.same(data.type, 'null')
    else t.equal(data.$ref, `#/components/schemas/${name.replace(/Response$/, '')}`)
  }
  t.end()
})

test('shapes have names, every number says what it is, and the open lists are filled in', (t) => {
  for (const name of Object.keys(schemas)) t.notMatch(name, /^def-\d/, `${name} is a name`)
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    for (const [field, { type, description, examples }] of Object.entries<any>(properties)) {
      if (type === 'integer') t.ok(description ?? examples, `${name}.${field} has a description or an example`)
    }
  }
  t.same(schemas['AuthType'].enum, builtInAuthTypes)
  t.same(schemas['UserClient'].enum, ['pc', 'app', 'h5', 'wechat'])
  t.end()
})

const filled: Record<string, any> = {
  username: 'admin',
  password: 'correct horse battery',
  code: 'abcd',
  codeKey: 'captcha:1',
  phone: '13800138000',
  email: 'alice@example.com',
  authCode: '1',
  state: 'github_1',
  socialTicket: '1',
  ticket: '1',
  credential: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} },
}
const shapes: { $ref: string }[] = schemas['LoginRequest'].oneOf
const shapeOf = (reference: string) => schemas[reference.slice('#/components/schemas/'.length)]
const bodyOf = (shape: any): Record<string, unknown> =>
  Object.fromEntries([
    ['authType', shape.properties.authType.enum[0]],
    ...shape.required.filter((field: string) => field !== 'authType').map((field: string) => [field, filled[field]]),
  ])

test('a sign-in is one of nine shapes, chosen by authType; the shortest has a user name and a password', (t) => {
  const isLogin = documentSchemas(document).validate('LoginRequest')
  t.equal(shapes.length, 9)
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
