import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { catalogue, type Reason } from '../../schemas/problems.js'
import { root } from '../helpers/project.js'
import { adminPassword, startServer, type TestServer } from '../helpers/server.js'

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const documentedExample = ($ref: string) => document.components.examples[$ref.split('/').at(-1) ?? '']

interface Body {
  type: string
  name?: string
  description?: string
  value: unknown
}
interface Operation {
  operationId: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    example?: string | number
    schema: { default?: string | number }
  }[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { $ref: string }> }> }
}

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** Every body that Swagger UI fills in; one without a body if the operation has none. A file must be chosen by hand. */
const bodiesOf = ({ requestBody }: Operation): (Body | undefined)[] => {
  if (!requestBody) return [undefined]
  return Object.entries(requestBody.content).flatMap(([type, { example, examples = {} }]) => [
    ...(example === undefined ? [] : [{ type, value: example }]),
    ...Object.entries(examples).map(([name, { $ref }]) => ({ type, name, ...documentedExample($ref) })),
  ])
}

const textOf = ({ type, value }: Body): string => {
  if (type === 'application/json') return JSON.stringify(value)
  return typeof value === 'string' ? value : new URLSearchParams(value as Record<string, string>).toString()
}

/** An administrator who has changed the password, as the hint of `/docs` says. */
const signInFirst = async (server: TestServer): Promise<string> => {
  const { accessToken } = await server.signIn()
  const json = { oldPassword: adminPassword, newPassword: 'plain green teapot' }
  const changed = await server.call('POST', '/auth/changePassword', { token: accessToken, json })
  if (changed.status !== 200) throw new Error(changed.text)
  return accessToken
}

/** Sends what Swagger UI fills in, and nothing else. */
const execute = (
  server: TestServer,
  token: string,
  { path, method, operation }: (typeof operations)[number],
  body: Body | undefined,
) => {
  const query: Record<string, string> = {}
  const headers: Record<string, string> = body ? { 'content-type': body.type } : {}
  let filled = path
  for (const { name, in: place, example, schema } of operation.parameters ?? []) {
    const value = example ?? schema.default
    if (value === undefined) continue
    if (place === 'query') query[name] = String(value)
    else if (place === 'header') headers[name] = String(value)
    else filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
  }
  const hasToken = (operation.security ?? []).some((scheme) => 'bearer' in scheme)
  const options = { query, headers, ...(hasToken ? { token } : {}), ...(body ? { raw: textOf(body) } : {}) }
  return server.call(method, filled, options)
}

const sentence = /The example answers (\d+) `(\w+)` until [^.]+\./

const check = async (server: TestServer, token: string, one: (typeof operations)[number]) => {
  const lines: [what: string, found: unknown, wanted: unknown, text: string][] = []
  for (const body of bodiesOf(one.operation)) {
    const answer = await execute(server, token, one, body)
    const [, status = '200', reason] =
      sentence.exec(body?.description ?? '') ?? sentence.exec(one.operation.description ?? '') ?? []
    const what = `${one.operation.operationId} ${body?.type ?? ''} ${body?.name ?? ''}`
    const wanted = reason === undefined ? [200] : [Number(status), reason]
    const found = answer.status === 200 ? [200] : [answer.status, answer.body.data.reason]
    lines.push([what, found, wanted, answer.text])
    if (reason !== undefined && catalogue[reason as Reason].status !== Number(status)) {
      lines.push([`${what} names the status of the reason`, status, catalogue[reason as Reason].status, ''])
    }
  }
  return lines
}

test('each example that is read, sent as it is to a new installation, answers 200 or what its description says', async (t) => {
  const server = await startServer(t)
  const token = await signInFirst(server)
  for (const one of operations.filter(({ method }) => method === 'GET')) {
    for (const [what, found, wanted, text] of await check(server, token, one)) t.same(found, wanted, `${what} ${text}`)
  }
})

for (const one of operations.filter(({ method }) => method !== 'GET')) {
  const title = `the examples of ${one.operation.operationId}, sent as they are to a new installation, answer 200 or what their descriptions say`
  test(title, async (t) => {
    const server = await startServer(t)
    const lines = await check(server, await signInFirst(server), one)
    t.ok(lines.length > 0)
    for (const [what, found, wanted, text] of lines) t.same(found, wanted, `${what} ${text}`)
  })
}

test('the filled-in sign-in is no try: however often it is sent, the administrator needs no captcha', async (t) => {
  const server = await startServer(t)
  const { value } = document.components.examples.PasswordLogin
  t.equal(value.username, 'admin')
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await server.call('POST', '/auth/login', { json: value })
    t.match(answer.body, { code: 400, message: /password is required/, data: { reason: 'invalid_request' } })
  }
  const answer = await server.call('POST', '/auth/login', { json: { ...value, password: adminPassword } })
  t.equal(answer.status, 200)
})

test('no example sets a password of an administrator that everybody can read', (t) => {
  for (const name of ['PasswordLogin', 'PasswordCaptchaLogin', 'ChangePasswordRequest']) {
    const { value } = document.components.examples[name]
    for (const field of ['password', 'oldPassword', 'newPassword'])
      t.ok((value[field] ?? '') === '', `${name} ${field}`)
  }
  t.end()
})
