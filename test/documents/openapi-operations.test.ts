import { test } from 'tap'
import { catalogue } from '../../schemas/problems.js'
import { expectProblem } from '../helpers/service/expect.js'
import { startServer } from '../helpers/service/server.js'
import { document, operations, resolve, text, type Operation } from './committed-openapi.js'

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
  t.ok(text.length < 760_000, `${text.length} characters`)
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
    } else if (['logout', 'getSocialAuthUrl', 'passkeyOptions'].includes(operationId)) {
      t.same(security, [{ bearer: [] }, {}], `${name} takes a token and needs none`)
      t.notOk(operation.responses['401'], `${name} never answers 401`)
    } else if (operationId === 'introspectToken') {
      t.same(security, [{ client: [] }], `${name} takes the credentials of a service`)
      t.ok(reasonsOf(operation).includes('invalid_client'), name)
      t.notOk(reasonsOf(operation).includes('token_missing'), name)
    } else {
      t.same(security, [{ bearer: [] }], name)
      t.ok(reasonsOf(operation).includes('token_not_allowed'), name)
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
