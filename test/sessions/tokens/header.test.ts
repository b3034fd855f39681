import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { request, sendBytes } from '../../helpers/load/socket.js'

const info = '/auth/userInfo'

test('the token comes in the Authorization header, scheme Bearer in any case (RFC 6750 2.1)', async (t) => {
  const server = await startServer(t)
  const { accessToken, tokenType } = await server.signIn()
  const rows: [sentence: string, authorization: string][] = [
    ['as usual', `Bearer ${accessToken}`],
    ['as tokenType says', `${tokenType} ${accessToken}`],
    ['in lower case', `bearer ${accessToken}`],
    ['in capitals', `BEARER ${accessToken}`],
    ['after two spaces', `Bearer  ${accessToken}`],
    ['with a space behind', `Bearer ${accessToken} `],
  ]
  for (const [sentence, authorization] of rows) {
    await t.test(sentence, async (t) => {
      expectSuccess(t, await server.call('GET', info, { headers: { authorization } }))
    })
  }
})

test('a request without a bearer token is told how to authenticate, and no error (RFC 6750 3.1)', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const rows: [sentence: string, headers: Record<string, string>][] = [
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['Basic', { authorization: `Basic ${Buffer.from('admin:x').toString('base64')}` }],
    ['the token alone', { authorization: accessToken }],
    ['another scheme', { authorization: `Token ${accessToken}` }],
    ['a scheme that begins like ours', { authorization: `Bearers ${accessToken}` }],
    ['a colon after the scheme', { authorization: `Bearer: ${accessToken}` }],
    ['no space after the scheme', { authorization: `Bearer${accessToken}` }],
    ['the scheme alone', { authorization: 'Bearer' }],
    ['the scheme and a space', { authorization: 'Bearer ' }],
    [
      'other headers that some services read',
      { 'x-access-token': accessToken, token: accessToken, satoken: accessToken },
    ],
    ['a cookie', { cookie: `Authorization=${accessToken}; token=${accessToken}; access_token=${accessToken}` }],
    ['the header of a proxy', { 'proxy-authorization': `Bearer ${accessToken}` }],
  ]
  for (const [sentence, headers] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('GET', info, { headers })
      expectProblem(t, answer, 'token_missing')
      const challenge = answer.headers.get('www-authenticate') ?? ''
      t.match(challenge, /^Bearer realm="[^"]+"/)
      t.notMatch(challenge, 'error')
    })
  }
})

test('a token in the query or the body is no token', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  for (const name of ['access_token', 'token', 'accessToken', 'Authorization', 'authorization']) {
    for (const value of [accessToken, `Bearer ${accessToken}`]) {
      const asked = await server.call('GET', info, { query: { [name]: value } })
      expectProblem(t, asked, 'token_missing')
      const sent = await server.call('POST', '/auth/changePassword', { form: { [name]: value } })
      expectProblem(t, sent, 'token_missing')
    }
  }
  const [, , signature = ''] = accessToken.split('.')
  t.notOk(server.log().includes(signature), 'not even in the log')
})

test('a token that is refused is told so, with the reason', async (t) => {
  const server = await startServer(t)
  const [expired, ended] = [await server.signIn(), await server.signIn()]
  await server.call('POST', '/auth/logout', { token: ended.accessToken })
  const challenge = (reason: string) => new RegExp(`^Bearer realm="[^"]+", error="invalid_token".*${reason}`)
  const rows: [token: string, reason: 'token_invalid' | 'session_revoked' | 'token_expired'][] = [
    ['garbage', 'token_invalid'],
    [ended.accessToken, 'session_revoked'],
    [expired.accessToken, 'token_expired'],
  ]
  for (const [token, reason] of rows) {
    if (reason === 'token_expired') server.clock.advance(1800)
    const answer = await server.call('GET', info, { token })
    expectProblem(t, answer, reason)
    t.match(answer.headers.get('www-authenticate'), challenge(reason))
  }
})

test('more than one token is no token', async (t) => {
  const server = await startServer(t)
  const [{ accessToken: one }, { accessToken: two }] = [await server.signIn(), await server.signIn()]
  for (const authorization of [`Bearer ${one} ${two}`, `Bearer ${one}, Bearer ${two}`, `Bearer ${one},${two}`]) {
    const answer = await server.call('GET', info, { headers: { authorization } })
    t.equal(answer.status, 401)
    t.notMatch(answer.text, 'username')
  }
})

test('bytes that no header should hold are refused, not answered with a fault', async (t) => {
  const server = await startServer(t)
  for (const value of ['Bearer \xff\xfe', `Bearer ${'a'.repeat(12_000)}`, 'Bearer \t', 'Bearer a\tb', 'Bearer é']) {
    const answer = await sendBytes(server, Buffer.from(request(`GET ${info}`, { Authorization: value }), 'latin1'))
    t.equal(answer.status, 401, answer.text)
    t.match(answer.headers.get('www-authenticate'), /Bearer/)
  }
})

test('every endpoint that needs a session asks for it the same way', async (t) => {
  const server = await startServer(t)
  const rows: [method: string, path: string][] = [
    ['GET', '/auth/userInfo'],
    ['GET', '/auth/current/permissions'],
    ['POST', '/auth/changePassword'],
    ['POST', '/auth/refreshToken'],
    ['GET', '/system/user/page'],
  ]
  for (const [method, path] of rows) {
    await t.test(`${method} ${path}`, async (t) => {
      const answer = await server.call(method, path)
      expectProblem(t, answer, 'token_missing')
      t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="rollcall"')
      expectProblem(t, await server.call(method, path, { token: 'x.y.z' }), 'token_invalid')
    })
  }
})
