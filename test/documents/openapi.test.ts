import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { test } from 'tap'
import { openapiDocument } from '../../cli/openapi-document.js'
import { catalogue } from '../../schemas/problems.js'
import { builtInAuthTypes } from '../helpers/documents/document.js'
import { expectProblem } from '../helpers/service/expect.js'
import { root } from '../helpers/processes/project.js'
import { startServer, type ServerOptions } from '../helpers/service/server.js'

const file = join(root, 'openapi.json')
const text = readFileSync(file, 'utf8')

interface Media {
  schema?: object
  example?: unknown
  examples?: Record<string, { value: any } | { $ref: string }>
}
interface DocumentedAnswer {
  description?: string
  content?: Record<string, Media>
}
interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; description?: string; schema: object }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, DocumentedAnswer | { $ref: string }>
}
const document = JSON.parse(text) as {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, any>; securitySchemes: Record<string, object> }
}
/** What a reference stands for; other values are returned unchanged. */
const resolve = <T extends object>(part: T | { $ref: string }): T => {
  if (!('$ref' in part)) return part
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce<any>((value, key) => value?.[key], document)
  if (found === undefined) throw new Error(`${part.$ref} is not in the document`)
  return found
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)

test('openapi.json is what the routes and schemas say', async (t) => {
  t.equal(text, await openapiDocument(), 'run npm run openapi and commit the file')
})

const provider = { platform: 'example', kind: 'github', clientId: 'none', clientSecret: 'none' }
const everything = {
  mail: { url: 'smtp://localhost' },
  sms: { sender: 'webhook', webhook: { url: 'https://example.com/sms', secret: 'none' } },
  federation: { providers: [{ ...provider, redirectUris: ['https://example.com/social'] }] },
}
for (const [name, options] of Object.entries<ServerOptions>({
  'as the first start wrote it': {},
  'with every way to sign in': { settings: everything },
  'without captchas': { settings: { captcha: { mode: 'never' } } },
  'with captchas by proof of work': { settings: { captcha: { type: 'pow', mode: 'always' } } },
  'with rate limits': { environment: { RATE_LIMITS: 'on' } },
  'with front ends of other origins': { environment: { CORS_ORIGINS: 'https://console.example.com' } },
  'for development': { environment: { ROLLCALL_DEV_ECHO: '1' } },
})) {
  test(`the served document of an installation ${name} is openapi.json but for servers`, async (t) => {
    const server = await startServer(t, options)
    const { servers, ...served } = JSON.parse((await server.call('GET', '/openapi.json')).text) as Record<string, any>
    const committed = JSON.parse(text) as Record<string, any>
    t.strictSame({ ...served, servers: committed['servers'] }, committed)
    t.equal(servers.length, 1)
    if ('settings' in options && options.settings === everything)
      t.strictSame(
        server.app.login.offered().map(({ name }) => name),
        builtInAuthTypes,
        'every method that the document names can be offered',
      )
  })
}

test('the schema of OpenAPI accepts the document', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(text) as Record<string, unknown>)
  t.same(errors ?? [], [])
  t.ok(valid)
  t.equal(validator.version, '3.1')
})

for (const ruleset of ['spec', 'minimal', 'recommended'] as const) {
  test(`the ${ruleset} rules of Redocly find no error`, async (t) => {
    const config = await createConfig({ extends: [ruleset] })
    const problems = await lintFromString({ source: text, absoluteRef: file, config })
    const errors = problems.filter(({ severity }) => severity === 'error')
    t.same(
      errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })
}

test('the operations of the contract are there, and those that do not exist are not', (t) => {
  const names = operations.map(({ name }) => name)
  for (const name of [
    'POST /auth/login',
    'POST /auth/logout',
    'POST /auth/refreshToken',
    'GET /auth/userInfo',
    'GET /auth/captcha',
    'GET /auth/loginConfig',
    'GET /auth/current/permissions',
    'GET /system/user/page',
  ]) {
    t.ok(names.includes(name), name)
  }
  for (const path of ['/logout', '/refreshToken', '/login', '/docs', '/openapi.json'])
    t.notOk(document.paths[path], path)
  t.notMatch(text, /"msg"/, 'a field msg does not exist')
  t.end()
})

test('every operation has an id of its own, known tags and a summary', (t) => {
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, operations.length)
  const tags = document.tags.map(({ name }) => name)
  for (const { name, operation } of operations) {
    t.match(operation.operationId, /^[a-z][A-Za-z]+$/, name)
    t.match(operation.summary, /^[A-Z].{5,}[^.]$/, name)
    t.ok(operation.tags?.length === 1 && tags.includes(operation.tags[0] ?? ''), `${name} has one known tag`)
    for (const { name: parameter, description } of operation.parameters ?? []) {
      t.ok(description, `${name} describes ${parameter}`)
    }
  }
  t.end()
})

test('every answer is described, and every error has its reason and an example', (t) => {
  for (const { name, operation } of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      const { description, content } = resolve(answer)
      t.ok(description && description !== 'Default Response', `${name} ${status} is described`)
      const { schema, examples = {} } = content?.['application/json'] ?? {}
      // Files are answers of other types.
      t.ok(schema ?? (status === '200' && Object.values(content ?? {})[0]?.schema), `${name} ${status} has a schema`)
      if (status === '200') continue
      t.same(schema, { $ref: '#/components/schemas/Problem' })
      t.ok(Object.keys(examples).length > 0, `${name} ${status} has an example`)
      for (const [reason, shared] of Object.entries(examples)) {
        const { value } = resolve(shared)
        t.equal(String(catalogue[reason as keyof typeof catalogue].status), status, reason)
        t.match(value, { code: Number(status), data: { reason } })
        t.match(description, `\`${reason}\``)
      }
    }
  }
  t.end()
})

const reasonsOf = (operation: Operation) =>
  Object.values(operation.responses).flatMap((answer) =>
    Object.keys(resolve(answer).content?.['application/json']?.examples ?? {}),
  )

test('every request with a body documents what is answered to one that is too large or of another type', async (t) => {
  const withBody = operations.filter(({ operation }) => operation.requestBody !== undefined)
  for (const { name, operation } of withBody)
    for (const reason of ['payload_too_large', 'unsupported_media_type'])
      t.ok(reasonsOf(operation).includes(reason), `${name} ${reason}`)
  const methods = [...new Set(withBody.map(({ name }) => name.split(' ')[0]))].sort()
  t.same(methods, ['PATCH', 'POST', 'PUT'])
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const [method, path] of [
    ['PATCH', '/system/user/1'],
    ['PUT', '/system/user/1/roles'],
  ] as const) {
    const text = { token, raw: 'x', headers: { 'content-type': 'text/plain' } }
    expectProblem(t, await server.call(method, path, text), 'unsupported_media_type')
    const json = { remark: 'x'.repeat(2 ** 21) }
    expectProblem(t, await server.call(method, path, { token, json }), 'payload_too_large')
  }
})

test('every route that is not open asks for the token and documents what happens without', (t) => {
  const open = [
    'login',
    'sendSmsCode',
    'sendEmailCode',
    'forgotPassword',
    'resetPassword',
    'sendRegistrationCode',
    'register',
    'getCaptcha',
    'getLoginConfig',
    'getSocialPlatforms',
    'completeSocialSignIn',
    'getLiveness',
    'getReadiness',
    'getKeySet',
    'getServerMetadata',
  ]
  for (const { name, operation } of operations) {
    const { operationId = '', security } = operation
    if (open.includes(operationId)) {
      t.same(security ?? [], [], `${name} is open`)
      t.notOk(operation.responses['401'], `${name} never answers 401`)
    } else if (['logout', 'getSocialAuthUrl'].includes(operationId)) {
      t.same(security, [{ bearer: [] }, {}], `${name} takes a token and needs none`)
      t.notOk(operation.responses['401'], `${name} never answers 401`)
    } else if (operationId === 'introspectToken') {
      t.same(security, [{ client: [] }], `${name} takes the credentials of a service`)
      t.ok(reasonsOf(operation).includes('invalid_client'), name)
      t.notOk(reasonsOf(operation).includes('token_missing'), name)
    } else {
      t.same(security, [{ bearer: [] }], name)
      const reasons = ['token_missing', 'token_invalid', 'session_replaced', 'session_revoked', 'session_expired']
      for (const reason of reasons) t.ok(reasonsOf(operation).includes(reason), `${name} ${reason}`)
    }
  }
  const page = document.paths['/system/user/page']?.['get']
  for (const reason of ['permission_denied', 'password_change_required', 'invalid_request']) {
    t.ok(page && reasonsOf(page).includes(reason), reason)
  }
  t.end()
})

test('sign-in takes JSON and forms, and the list its parameters as a query', (t) => {
  for (const path of ['/auth/login', '/auth/changePassword']) {
    const content = document.paths[path]?.['post']?.requestBody?.content ?? {}
    t.same(Object.keys(content).sort(), ['application/json', 'application/x-www-form-urlencoded'], path)
  }
  const parameters = document.paths['/system/user/page']?.['get']?.parameters ?? []
  t.ok(parameters.every((parameter) => parameter.in === 'query'))
  const expected = { pageNum: { type: 'integer', default: 1 }, pageSize: { type: 'integer', default: 10 } }
  for (const [name, schema] of Object.entries(expected)) {
    t.match(parameters.find((parameter) => parameter.name === name)?.schema, schema, name)
  }
  for (const name of ['orderByColumn', 'isAsc'])
    t.ok(
      parameters.some((parameter) => parameter.name === name),
      name,
    )
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
    const isLong = /^ids?$|^(tid|exp|iat)$|Ids?$|Time$|^timestamp$|Count$|^(total|pages|current|pageNum)$/.test(name)
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
  const { schemas } = document.components
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

test('what many answers have in common is there once', (t) => {
  const times = new Map<string, number>()
  for (const { operation } of operations) {
    for (const answer of Object.values(operation.responses)) {
      const written = JSON.stringify(answer)
      if (!('$ref' in answer)) times.set(written, (times.get(written) ?? 0) + 1)
    }
  }
  t.same(
    [...times].filter(([written, count]) => count > 5 && !written.includes('EmptyResponse')),
    [],
  )
  t.ok(text.length < 550_000, `${text.length} characters`)
  t.end()
})

test('shapes have names, every number says what it is, and the open lists are filled in', (t) => {
  const { schemas } = document.components
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
