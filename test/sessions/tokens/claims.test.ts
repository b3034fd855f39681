import { createPublicKey, verify } from 'node:crypto'
import { test } from 'tap'
import { startServer } from '../../helpers/service/server.js'
import { decodeToken, signedBytes } from '../../helpers/service/token.js'

const keySet = async (server: Awaited<ReturnType<typeof startServer>>) => {
  const response = await fetch(`${server.origin}/.well-known/jwks.json`)
  return { response, keys: ((await response.json()) as { keys: Record<string, string>[] }).keys }
}

test('an access token has exactly the header and claims of RFC 9068 and ours', async (t) => {
  const server = await startServer(t)
  const alice = await server.addUser('alice')
  server.clock.advance(0.75)
  const issued = Math.floor(server.clock.now() / 1000)
  const { accessToken, expiresIn } = await server.signIn('alice', undefined, { userClient: 'app' })
  const { header, claims } = decodeToken(accessToken)
  t.same(Object.keys(header).sort(), ['alg', 'kid', 'typ'])
  t.equal(header['alg'], 'ES256')
  t.equal(header['typ'], 'at+jwt')
  const [key] = (await keySet(server)).keys
  t.equal(header['kid'], key?.['kid'])
  const { sid, jti, ...known } = claims
  t.strictSame(known, {
    iss: 'rollcall',
    aud: 'rollcall',
    sub: String(alice.id),
    iat: issued,
    exp: issued + 3600,
    client_id: 'app',
    tid: 1,
    gen: 1,
  })
  t.match(sid, /^[\w-]{22}$/, '128 bits')
  t.match(jti, /^[\w-]{22}$/, '128 bits')
  t.not(sid, jti)
  t.ok(expiresIn === 3600 || expiresIn === 3599, 'whole seconds')
})

test('a token says nothing about the person but a number', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice', { realName: 'Alice Liddell', phone: '13800138000', email: 'alice@example.com' })
  const { accessToken } = await server.signIn('alice')
  const { claims } = decodeToken(accessToken)
  t.notMatch(JSON.stringify(claims), /alice|liddell|138|permission|role/i)
})

test('issuer and audience follow the configuration', async (t) => {
  const server = await startServer(t, { settings: { issuer: 'https://id.example.com', audience: 'our-services' } })
  const { accessToken: token } = await server.signIn()
  const { claims } = decodeToken(token)
  t.equal(claims['iss'], 'https://id.example.com')
  t.equal(claims['aud'], 'our-services')
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 200)
})

test('sid names the session, jti the token, gen the refresh', async (t) => {
  const server = await startServer(t)
  const first = await server.signIn()
  server.clock.advance(10)
  const second = (await server.call('POST', '/auth/refreshToken', { token: first.accessToken })).body.data
  const other = await server.signIn()
  const [a, b, c] = [first, second, other].map(({ accessToken }) => decodeToken(accessToken).claims)
  t.equal(b?.['sid'], a?.['sid'])
  t.not(c?.['sid'], a?.['sid'])
  t.equal(new Set([a?.['jti'], b?.['jti'], c?.['jti']]).size, 3)
  t.strictSame([a?.['gen'], b?.['gen'], c?.['gen']], [1, 2, 1])
  t.equal(b?.['iat'] - a?.['iat'], 10)
  for (const name of ['iss', 'aud', 'sub', 'client_id', 'tid']) t.equal(b?.[name], a?.[name], name)
})

test('the public key set holds public parts only, and may be cached', async (t) => {
  const server = await startServer(t)
  const { response, keys } = await keySet(server)
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /json/)
  t.match(response.headers.get('cache-control'), /max-age=\d+/)
  t.equal(keys.length, 1)
  for (const { x = '', y = '', kid = '', ...rest } of keys) {
    t.strictSame(rest, { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' }, 'no d, no private member of any kind')
    t.strictSame([x.length, y.length], [43, 43])
    t.match(kid, /^[\w-]{8,}$/)
  }
})

test('another service verifies a token with the key set alone', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const { header, signature } = decodeToken(accessToken)
  const jwk = (await keySet(server)).keys.find(({ kid }) => kid === header['kid'])
  const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' })
  const isSigned = (bytes: Buffer) => verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
  t.equal(signature.length, 64)
  t.ok(isSigned(signedBytes(accessToken)))
  t.notOk(isSigned(Buffer.concat([signedBytes(accessToken), Buffer.from('x')])))
})

test('each installation has keys of its own', async (t) => {
  const [one, two] = [await startServer(t), await startServer(t, { isForeign: true })]
  const { accessToken: token } = await one.signIn()
  t.not((await keySet(one)).keys[0]?.['x'], (await keySet(two)).keys[0]?.['x'])
  const answer = await two.call('GET', '/auth/userInfo', { token })
  t.strictSame([answer.status, answer.body.data.reason], [401, 'token_invalid'])
})
