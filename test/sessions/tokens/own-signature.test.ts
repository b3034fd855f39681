import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { decodeToken, es256, makeToken, ownKey } from '../../helpers/service/token.js'

type Test = Parameters<typeof startServer>[0]

/** Here the signature is always our own: what is wrong is only what it covers. */
const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  return { server, accessToken, ...decodeToken(accessToken), own: es256(await ownKey(server)) }
}

const expectRefused = async (t: Test, server: TestServer, token: string) => {
  for (const [method, path] of [
    ['GET', '/auth/userInfo'],
    ['POST', '/auth/refreshToken'],
  ] as const) {
    const answer = await server.call(method, path, { token })
    expectProblem(t, answer, 'token_invalid')
    t.notMatch(answer.text, /accessToken|username/)
  }
}

test('our own signature does not help a token of another kind', async (t) => {
  const { server, accessToken, header, claims, own } = await start(t)
  const signed = (head: object, body: unknown) => makeToken(head, body, own)
  t.equal(
    (await server.call('GET', '/auth/userInfo', { token: signed(header, claims) })).status,
    200,
    'the key is ours',
  )
  const rows: [sentence: string, token: string][] = [
    ['typ JWT', signed({ ...header, typ: 'JWT' }, claims)],
    ['no typ', signed({ alg: 'ES256', kid: header['kid'] }, claims)],
    ['typ of an ID token', signed({ ...header, typ: 'id+jwt' }, claims)],
    ['a critical extension', signed({ ...header, crit: ['exp'] }, claims)],
    ['another issuer', signed(header, { ...claims, iss: 'https://evil.example' })],
    ['an issuer that begins like ours', signed(header, { ...claims, iss: 'rollcall.evil.example' })],
    ['another audience', signed(header, { ...claims, aud: 'another-service' })],
    ['no audience at all', signed(header, { ...claims, aud: [] })],
    ['the subject of another user', signed(header, { ...claims, sub: '2' })],
    ['the tenant of another user', signed(header, { ...claims, tid: 2 })],
    ['another client kind', signed(header, { ...claims, client_id: 'app' })],
    ['a generation to come', signed(header, { ...claims, gen: Number(claims['gen']) + 1 })],
    ['a list for claims', signed(header, [claims])],
    ['a text for claims', signed(header, 'claims')],
    ['null for claims', signed(header, null)],
  ]
  for (const name of ['iss', 'aud', 'sub', 'exp', 'iat', 'jti', 'client_id', 'sid', 'tid', 'gen']) {
    rows.push([`no ${name}`, signed(header, { ...claims, [name]: undefined })])
  }
  for (const [sentence, token] of rows) await t.test(sentence, (t) => expectRefused(t, server, token))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: accessToken }))
})

test('claims of the wrong type are refused, never a fault of the server', async (t) => {
  const { server, header, claims, own } = await start(t)
  const rows: object[] = [
    { sid: 1 },
    { sid: ['x'] },
    { sid: { $ne: null } },
    { sid: null },
    { sub: 1 },
    { exp: String(claims['exp']) },
    { exp: null },
    { iat: 'now' },
    { gen: String(claims['gen']) },
    { gen: 0.5 },
    { gen: null },
    { gen: -1 },
    { tid: '1' },
  ]
  for (const change of rows) {
    await t.test(JSON.stringify(change), async (t) => {
      const token = makeToken(header, { ...claims, ...change }, own)
      const answer = await server.call('GET', '/auth/userInfo', { token })
      t.equal(answer.status, 401, answer.text)
      t.notMatch(answer.text, /username/)
      t.equal((await server.call('POST', '/auth/logout', { token })).status, 200)
    })
  }
})
