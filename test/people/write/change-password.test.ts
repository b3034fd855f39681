import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import {
  adminPassword,
  startServer,
  userPassword,
  type CallOptions,
  type TestServer,
} from '../../helpers/service/server.js'

const next = 'brass kettle whistle'
const change = (server: TestServer, options: CallOptions) => server.call('POST', '/auth/changePassword', options)
const login = (server: TestServer, username: string, password: string) =>
  server.call('POST', '/auth/login', { json: { username, password } })

test('the fields may come as JSON, as a form or in the query', async (t) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const fields = { oldPassword: userPassword, newPassword: next }
  const rows: [sentence: string, options: CallOptions][] = [
    ['JSON', { json: fields }],
    ['JSON with unknown fields', { json: { ...fields, confirmPassword: next, username: 'admin', userId: 1 } }],
    ['a form', { form: fields }],
    ['the query, with a form type and no body', { query: fields, headers: form }],
    ['the query, with no body at all', { query: fields }],
    ['the query, with an empty JSON body', { query: fields, json: {} }],
    ['half in the query, half in the body', { query: { oldPassword: userPassword }, form: { newPassword: next } }],
  ]
  const server = await startServer(t)
  for (const [index, [sentence, options]] of rows.entries()) {
    await t.test(sentence, async (t) => {
      const username = `user-${index}`
      await server.addUser(username)
      const { accessToken: token } = await server.signIn(username)
      const answer = await change(server, { ...options, token })
      t.equal(expectSuccess(t, answer), null)
      expectProblem(t, await login(server, username, userPassword), 'invalid_credentials')
      expectSuccess(t, await login(server, username, next))
      expectSuccess(t, await login(server, 'admin', adminPassword))
    })
  }
  t.notMatch(server.log(), /brass.{1,3}kettle|plain.{1,3}green|correct.{1,3}horse/, 'no password in the log')
})

test('the body wins over the query', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const query = { oldPassword: 'not this', newPassword: 'neither this one' }
  expectSuccess(t, await change(server, { token, query, json: { oldPassword: userPassword, newPassword: next } }))
  expectSuccess(t, await login(server, 'alice', next))
})

test('missing fields are named, and nothing changes', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const rows: [options: CallOptions, fields: string[]][] = [
    [{}, ['newPassword']],
    [{ json: {} }, ['newPassword']],
    [{ json: { oldPassword: userPassword } }, ['newPassword']],
    [{ json: { oldPassword: userPassword, newPassword: '' } }, ['newPassword']],
    [{ json: { oldPassword: null, newPassword: next } }, ['oldPassword']],
    [{ json: { oldPassword: userPassword, newPassword: 12345678 } }, ['newPassword']],
    [{ json: { oldPassword: [userPassword], newPassword: next } }, ['oldPassword']],
    [{ query: { newPassword: next } }, ['oldPassword']],
  ]
  for (const [options, fields] of rows) {
    expectProblem(t, await change(server, { ...options, token }), 'invalid_request', fields)
  }
  expectSuccess(t, await login(server, 'alice', userPassword))
})

test('only the signed-in person can do it', async (t) => {
  const server = await startServer(t)
  const json = { oldPassword: adminPassword, newPassword: next }
  expectProblem(t, await change(server, { json }), 'token_missing')
  expectProblem(t, await change(server, { json, token: 'garbage' }), 'token_invalid')
  const { accessToken: token } = await server.signIn()
  await server.call('POST', '/auth/logout', { token })
  expectProblem(t, await change(server, { json, token }), 'session_revoked')
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('P6: the other sessions of the user end, the own goes on', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const own = await server.signIn('alice')
  const others = [await server.signIn('alice'), await server.signIn('alice', undefined, { userClient: 'app' })]
  const admin = await server.signIn()
  const json = { oldPassword: userPassword, newPassword: next }
  expectSuccess(t, await change(server, { json, token: own.accessToken }))
  for (const { accessToken: token } of others) {
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
    expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_revoked')
  }
  for (const { accessToken: token } of [own, admin]) {
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  }
})

test('a wrong current password is refused, ends nothing, and makes the session wait, but no sign-in', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const other = await server.signIn('alice')
  const json = { oldPassword: 'wrong horse battery', newPassword: next }
  for (let index = 0; index < 5; index++) {
    const answer = await change(server, { json, token })
    expectProblem(t, answer, 'invalid_credentials')
    t.equal(answer.headers.get('www-authenticate'), null)
  }
  const sixth = await change(server, { json: { ...json, oldPassword: userPassword }, token })
  expectProblem(t, sixth, 'too_many_attempts')
  t.equal(sixth.headers.get('retry-after'), '60')
  expectSuccess(t, await login(server, 'alice', userPassword))
  for (const session of [token, other.accessToken]) {
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: session }))
  }
  server.clock.advance(60)
  expectSuccess(t, await change(server, { json: { ...json, oldPassword: userPassword }, token }))
})

test('failed sign-ins at the same address do not keep a signed-in person from a change', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  const { accessToken: token } = await server.signIn()
  for (let index = 0; index < 20; index++) await login(server, 'admin', 'wrong horse battery')
  expectProblem(t, await login(server, 'admin', adminPassword), 'too_many_attempts')
  const json = { oldPassword: adminPassword, newPassword: next }
  expectSuccess(t, await change(server, { json, token }))
})

test('of parallel changes one wins, and its password is the one that works', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const passwords = Array.from({ length: 5 }, (_, index) => `${next} number ${index}`)
  const answers = await Promise.all(
    passwords.map((newPassword) => change(server, { json: { oldPassword: userPassword, newPassword }, token })),
  )
  const winners = passwords.filter((_password, index) => answers[index]?.status === 200)
  t.equal(winners.length, 1)
  for (const answer of answers) t.match(String(answer.status), /^(200|400|429)$/)
  await server.operator.unlock('alice')
  expectSuccess(t, await login(server, 'alice', winners[0] ?? ''))
})
