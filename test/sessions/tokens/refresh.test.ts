import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type CallOptions, type TestServer } from '../../helpers/service/server.js'
import { decodeToken } from '../../helpers/service/token.js'

const refresh = (server: TestServer, token: string, options: CallOptions = {}) =>
  server.call('POST', '/auth/refreshToken', { ...options, token })

test('a refresh returns a login result with a new token', async (t) => {
  const server = await startServer(t)
  const first = await server.signIn('admin', undefined, { userClient: 'h5' })
  server.clock.advance(600)
  const answer = await refresh(server, first.accessToken)
  const data = expectSuccess(t, answer)
  t.same(Object.keys(data).sort(), ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo'])
  t.not(data.accessToken, first.accessToken)
  t.strictSame([data.tokenType, data.expiresIn, data.forcePasswordChange], ['Bearer', 1800, false])
  t.strictSame(data.userInfo, first.userInfo, 'the client kind and the time of the sign-in stay')
  t.equal(answer.headers.get('cache-control'), 'no-store')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: data.accessToken }))
})

test('it takes no body, and tolerates any', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, options: CallOptions][] = [
    ['no body', {}],
    ['an empty object', { json: {} }],
    ['JSON null', { json: null }],
    ['a form type without a body', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['another client kind, which is ignored', { json: { userClient: 'app', tenantId: 7, username: 'root' } }],
  ]
  for (const [sentence, options] of rows) {
    await t.test(sentence, async (t) => {
      const { accessToken } = await server.signIn()
      const data = expectSuccess(t, await refresh(server, accessToken, options))
      t.equal(data.userInfo.userClient, 'pc')
      t.equal(decodeToken(data.accessToken).claims['client_id'], 'pc')
    })
  }
})

test('an expired token is good for a refresh while its session lives', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  server.clock.advance(1800)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: accessToken }), 'token_expired')
  const data = expectSuccess(t, await refresh(server, accessToken))
  t.equal(data.expiresIn, 1800)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: data.accessToken }))
})

test('tokens form a chain, each good for the next', async (t) => {
  const server = await startServer(t)
  let { accessToken: token } = await server.signIn()
  const seen = [token]
  for (let generation = 2; generation <= 6; generation++) {
    server.clock.advance(1000)
    token = expectSuccess(t, await refresh(server, token)).accessToken
    t.equal(decodeToken(token).claims['gen'], generation)
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    seen.push(token)
  }
  t.equal(new Set(seen).size, 6)
})

test('what is no live session is not refreshed, and told why', async (t) => {
  const settings = { clients: { pc: { maxSessions: 1 } } }
  const server = await startServer(t, { settings })
  await server.addUser('alice')
  await server.addUser('bob')
  const replaced = await server.signIn()
  server.clock.advance(1)
  const loggedOut = await server.signIn()
  await server.call('POST', '/auth/logout', { token: loggedOut.accessToken })
  const disabled = await server.signIn('alice')
  await server.operator.setEnabled('alice', false)
  const reset = await server.signIn('bob')
  await server.operator.setPassword('bob', 'brass kettle whistle', { forcePasswordChange: false })
  const rows = [
    ['replaced', replaced, 'session_replaced'],
    ['logged out', loggedOut, 'session_revoked'],
    ['of a disabled user', disabled, 'session_revoked'],
    ['of a user whose password was set', reset, 'session_revoked'],
  ] as const
  for (const [sentence, { accessToken: token }, reason] of rows) {
    await t.test(sentence, async (t) => {
      for (const answer of [await refresh(server, token), await server.call('GET', '/auth/userInfo', { token })]) {
        expectProblem(t, answer, reason)
        t.match(answer.headers.get('www-authenticate'), 'error="invalid_token"')
        t.notMatch(answer.text, 'accessToken')
      }
    })
  }
})

test('what the refresh returns about the user is true now', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  await server.addUser('alice')
  const { accessToken, userInfo } = await server.signIn('alice')
  t.strictSame(userInfo.permissions, [])
  await operator.addRole('reader', 'Reader', ['system:user:list'])
  await operator.assign('reader', 'alice')
  const data = expectSuccess(t, await refresh(server, accessToken))
  t.strictSame([data.userInfo.roleKeys, data.userInfo.permissions], [['reader'], ['system:user:list']])
})
