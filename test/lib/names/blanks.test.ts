import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { createCli } from '../../helpers/processes/cli.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'

/** Each character with the property White_Space of Unicode, and the byte order mark, which JavaScript counts among them. */
const blanks = Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point)).filter((character) =>
  /[\p{White_Space}\ufeff]/u.test(character),
)

test('a blank before or after a user name does not matter at the sign-in; in a password it does', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  t.ok(blanks.includes('\u3000') && blanks.includes('\u00a0') && blanks.includes('\u0085'))
  for (const blank of blanks) {
    const json = { username: `${blank}admin${blank}${blank}`, password: adminPassword }
    const { userInfo } = expectSuccess(t, await server.call('POST', '/auth/login', { json }))
    t.equal(userInfo.username, 'admin', `U+${blank.charCodeAt(0).toString(16)}`)
  }
  for (const [username, password] of [
    ['admin', `${adminPassword} `],
    ['admin', ` ${adminPassword}`],
    ['ad min', adminPassword],
  ]) {
    const answer = await server.call('POST', '/auth/login', { json: { username, password } })
    expectProblem(t, answer, 'invalid_credentials')
  }
  const blank = { username: ' \u3000', password: adminPassword }
  expectProblem(t, await server.call('POST', '/auth/login', { json: blank }), 'invalid_request', ['username'])
})

test('new and changed names are stored without blanks, and filters find them', async (t) => {
  const server = await startServer(t)
  const token = (await server.signIn()).accessToken
  const call = async (method: string, path: string, json?: object) =>
    expectSuccess(t, await server.call(method, path, { token, ...(json && { json }) }))
  const password = 'a brand new kettle '
  const bob = await call('POST', '/system/user', { username: ' bob\u3000', realName: '\tBob Miller ', password })
  t.match(bob, { username: 'bob', realName: 'Bob Miller' })
  const signIn = (text: string) => server.call('POST', '/auth/login', { json: { username: 'bob', password: text } })
  expectProblem(t, await signIn(password.trim()), 'invalid_credentials')
  expectSuccess(t, await signIn(password))
  t.match(await call('PATCH', `/system/user/${bob.id}`, { username: 'rob ', realName: ' Rob ' }), {
    username: 'rob',
    realName: 'Rob',
  })
  t.match(await call('POST', '/system/role', { key: ' editor ', name: ' Editor\u2003' }), {
    key: 'editor',
    name: 'Editor',
  })
  t.match(await call('POST', '/system/tenant', { name: ' Acme\u00a0' }), { name: 'Acme' })
  await call('POST', '/system/user', { username: ' eve ', realName: ' Eve ', password })
  const pages: [path: string, filter: string, found: object][] = [
    ['/system/user/page', 'username= rob\u3000', { username: 'rob' }],
    ['/system/user/page', 'realName=Rob ', { username: 'rob' }],
    ['/system/user/page', 'keyword= eve ', { username: 'eve', realName: 'Eve' }],
    ['/system/role/page', 'roleKey= editor ', { key: 'editor' }],
    ['/system/role/page', 'roleName=editor ', { key: 'editor' }],
    ['/system/tenant/page', 'name=acme\u2003', { name: 'Acme' }],
    ['/system/session/page', 'username= admin ', { username: 'admin' }],
    ['/system/login-log/page', 'subject=bob ', { subject: 'bob' }],
    ['/system/audit/page', 'actorName= admin', { actorName: 'admin' }],
  ]
  for (const [path, filter, found] of pages) {
    const query = Object.fromEntries(new URLSearchParams(filter.replaceAll(' ', '%20')))
    const { records } = expectSuccess(t, await server.call('GET', path, { token, query }))
    t.match(records[0], found, `${path}?${filter}`)
  }
})

test('an import and the command line read names without blanks', async (t) => {
  const server = await startServer(t)
  const token = (await server.signIn()).accessToken
  const file = 'username,realName\nbob ," Bob\u3000"\n\u00a0eve,Eve\n'
  expectSuccess(t, await importFile(server, token, file, { query: { emptyPasswords: 'true' } }))
  const { records } = expectSuccess(t, await server.call('GET', '/system/user/page', { token }))
  const names = records.map(({ username, realName }: Record<string, string>) => [username, realName])
  t.match(names.slice(0, 2).sort(), [
    ['bob', 'Bob'],
    ['eve', 'Eve'],
  ])

  const cli = await createCli(t)
  const input = 'a brand new kettle\n'
  await cli.done(['user', 'add', '--username', 'dan ', '--real-name', ' Dan', '--password-stdin'], { input })
  await cli.done(['user', 'edit', ' dan', '--real-name', 'Daniel '])
  t.match(await cli.done(['user', 'show', 'dan\u3000']), /Daniel(?! )/)
  t.match(await cli.done(['user', 'list', '--keyword', ' dan ']), /\tdan\tDaniel\t/)
  await cli.done(['tenant', 'add', ' Acme '])
  await cli.done(['user', 'list', '--tenant', 'Acme '])
})

test('a stranger registers without the blanks of a keyboard', async (t) => {
  const { post, mailedCode } = await startWithMessages(t, { settings: { registration: { mode: 'open' } } })
  const code = await mailedCode(() => post('/auth/register/code', { recipient: ' new@example.com ' }))
  const fields = {
    username: 'new ',
    realName: '\u3000New',
    password: 'violet umbrella stand',
    email: 'new@example.com ',
  }
  t.match(expectSuccess(t, await post('/auth/register', { ...fields, code: ` ${code} ` })), { username: 'new' })
})

test('no new user name has a blank inside, whichever way it comes; one from before stays usable', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const call = (method: string, path: string, json: object) => server.call(method, path, { token, json })
  const password = 'a brand new kettle'
  for (const blank of [' ', '\u3000', '\u00a0', ' \u2003 ']) {
    const answer = await call('POST', '/system/user', { username: `bo${blank}b`, realName: 'Bo B', password })
    expectProblem(t, answer, 'invalid_request', ['username'])
    t.match(answer.body.data.violations[0].message, /must not have blanks inside/)
  }
  const chinese = await server.call('POST', '/system/user', {
    token,
    json: { username: 'bo b', password },
    headers: { 'accept-language': 'zh-CN' },
  })
  t.match(chinese.body.data.violations[0].message, /空格/)
  const file = 'username,realName\nbo b,Bo B\nbob,Bo B\n'
  const report = expectSuccess(t, await importFile(server, token, file, { query: { emptyPasswords: 'true' } }))
  t.match(report, { refused: 1, errors: [{ rowNum: 2, field: 'username' }] })
  const { records } = expectSuccess(t, await server.call('GET', '/system/user/page', { token }))
  t.notOk(records.some(({ username }: { username: string }) => /\s/.test(username)))

  const { id } = await server.addUser('old')
  await server.app.db.users.change(id, { username: 'ol d' }, server.clock.now())
  t.equal((await server.signIn('ol d')).userInfo.username, 'ol d')
  const edit = (json: object) => call('PATCH', `/system/user/${id}`, json)
  expectSuccess(t, await edit({ username: 'Ol d', realName: 'Old' }))
  expectProblem(t, await edit({ username: 'o l d' }), 'invalid_request', ['username'])
  t.match(expectSuccess(t, await edit({ username: 'old' })), { username: 'old', realName: 'Old' })
})

test('neither the command line nor a registration makes a user name with a blank inside', async (t) => {
  const cli = await createCli(t)
  const input = 'a brand new kettle\n'
  const { code, stderr } = await cli.run(['user', 'add', '--username', 'bo b', '--password-stdin'], { input })
  t.not(code, 0)
  t.match(stderr, /must not have blanks inside/)

  const { post, mailedCode } = await startWithMessages(t, { settings: { registration: { mode: 'open' } } })
  const sent = await mailedCode(() => post('/auth/register/code', { recipient: 'new@example.com' }))
  const fields = { username: 'bo b', password: 'violet umbrella stand', recipient: 'new@example.com', code: sent }
  expectProblem(t, await post('/auth/register', fields), 'invalid_request', ['username'])
  expectSuccess(t, await post('/auth/register', { ...fields, username: 'bob' }))
})

interface Described {
  type?: string | string[]
  properties?: Record<string, { type?: string | string[]; [keyword: string]: unknown }>
}

test('the document says for each name and each filter of a request that blanks are left out, and for no secret', (t) => {
  const { components, paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    components: { schemas: Record<string, Described> }
    paths: Record<
      string,
      Record<string, { parameters?: { name: string; in: string; schema: Record<string, unknown> }[] }>
    >
  }
  const requests = Object.entries(components.schemas).filter(([name]) => name.endsWith('Request'))
  const fields = requests.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, schema]) => [name, field, schema['x-trims-blanks'] === true] as const),
  )
  // The key of an enrolment is a secret, that of a role is a name.
  const isName = (field: string) => ['username', 'realName', 'name', 'key'].includes(field)
  for (const [request, field, isTrimmed] of fields.filter(([request]) => request !== 'ConfirmTotpRequest'))
    if (isName(field) || /password|token|state|verifier|ticket|authCode/i.test(field))
      t.equal(isTrimmed, isName(field), `${request}.${field}`)
  const parameters = Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ parameters: described = [] }) => described),
  )
  const filters = parameters.filter(
    ({ name, in: place }) => place === 'query' && /name$|^keyword$|^search$|^role$|^subject$|^roleKey$/i.test(name),
  )
  t.ok(filters.length > 10)
  for (const { name, schema } of filters) t.equal(schema['x-trims-blanks'], true, name)
  t.end()
})
