import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { decodeToken, es256, makeToken, ownKey } from '../../helpers/service/token.js'

type Test = Parameters<typeof startServer>[0]

/** Asserts that a token opens nothing: neither an endpoint nor a refresh. */
const expectForged = async (t: Test, server: TestServer, token: string) => {
  for (const [method, path] of [
    ['GET', '/auth/userInfo'],
    ['GET', '/system/user/page'],
    ['POST', '/auth/refreshToken'],
  ] as const) {
    const answer = await server.call(method, path, { token })
    expectProblem(t, answer, 'token_invalid')
    t.match(answer.headers.get('www-authenticate'), 'error="invalid_token"')
    t.notMatch(answer.text, /accessToken|records|username/)
  }
}

/** Asserts that a token is not worth anything at the open door either. */
const expectNoEnd = async (t: Test, server: TestServer, token: string, living: string) => {
  expectSuccess(t, await server.call('POST', '/auth/logout', { token }))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: living }))
}

const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  return { server, accessToken, ...decodeToken(accessToken), own: es256(await ownKey(server)) }
}

test('what another service or a stranger signs is refused', async (t) => {
  const { server, accessToken, header, claims, own } = await start(t)
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = createPublicKey(await ownKey(server))
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const hmac = (key: string | Buffer) => (bytes: Buffer) => createHmac('sha256', key).update(bytes).digest()
  const theirs = es256(foreign.privateKey)
  const jwk = foreign.publicKey.export({ format: 'jwk' })
  const rows: [sentence: string, token: string][] = [
    ['no algorithm and no signature', makeToken({ ...header, alg: 'none' }, claims, () => '')],
    ['no algorithm in capitals', makeToken({ ...header, alg: 'NONE' }, claims, () => '')],
    ['no algorithm but a signature', makeToken({ ...header, alg: 'none' }, claims, own)],
    ['the right header and no signature', makeToken(header, claims, () => '')],
    ['a signature of zeros', makeToken(header, claims, () => Buffer.alloc(64))],
    ['HS256 with our public key as PEM', makeToken({ ...header, alg: 'HS256' }, claims, hmac(pem))],
    ['HS256 with our public key as DER', makeToken({ ...header, alg: 'HS256' }, claims, hmac(der))],
    ['HS256 with an empty key', makeToken({ ...header, alg: 'HS256' }, claims, hmac(''))],
    ['HS256 under our own header', makeToken(header, claims, hmac(pem))],
    ['ES384 in the header', makeToken({ ...header, alg: 'ES384' }, claims, own)],
    ['a stranger’s key under our kid', makeToken(header, claims, theirs)],
    ['a stranger’s key under their kid', makeToken({ ...header, kid: 'theirs' }, claims, theirs)],
    ['a stranger’s key and no kid', makeToken({ alg: 'ES256', typ: 'at+jwt' }, claims, theirs)],
    ['a stranger’s key in the header', makeToken({ ...header, jwk }, claims, theirs)],
    ['a kid that is a path', makeToken({ ...header, kid: '../../dev/null' }, claims, theirs)],
    ['a kid that is SQL', makeToken({ ...header, kid: "x' union select 1 --" }, claims, theirs)],
    ['a kid that is no text', makeToken({ ...header, kid: { $ne: 1 } }, claims, theirs)],
    [
      'the signature of another token',
      accessToken.replace(/[^.]+$/, (await server.signIn()).accessToken.split('.')[2] ?? ''),
    ],
  ]
  for (const [sentence, token] of rows) {
    await t.test(sentence, async (t) => {
      await expectForged(t, server, token)
      await expectNoEnd(t, server, token, accessToken)
    })
  }
})

test('a payload that was altered is refused', async (t) => {
  const { server, accessToken, header, claims, signature } = await start(t)
  const more = [
    { sub: '2' },
    { tid: 2 },
    { exp: Number(claims['exp']) + 1 },
    { client_id: 'app' },
    { gen: 2 },
    { admin: true },
  ]
  for (const change of more) {
    await t.test(JSON.stringify(change), (t) =>
      expectForged(
        t,
        server,
        makeToken(header, { ...claims, ...change }, () => signature),
      ),
    )
  }
  const [head = '', body = '', last = ''] = accessToken.split('.')
  const flipped = last.startsWith('A') ? `B${last.slice(1)}` : `A${last.slice(1)}`
  for (const token of [
    `${head}.${body}.${flipped}`,
    `${head}.${body}.${last}AA`,
    `${head}.${body}.${last.slice(0, -2)}`,
  ]) {
    await expectForged(t, server, token)
  }
})

test('no address in a header is ever visited', async (t) => {
  const { server, header, claims } = await start(t)
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let visits = 0
  const keys = { keys: [{ ...foreign.publicKey.export({ format: 'jwk' }), kid: 'theirs' }] }
  const host = createServer((_request, response) => {
    visits++
    response.setHeader('content-type', 'application/json').end(JSON.stringify(keys))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => host.once('listening', resolve))
  t.teardown(() => host.close())
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/keys`
  for (const more of [
    { jku: url },
    { x5u: url },
    { jku: url, kid: 'theirs' },
    { x5u: url, kid: 'theirs' },
    { kid: url },
  ]) {
    await t.test(Object.keys(more).join(' and '), (t) =>
      expectForged(t, server, makeToken({ ...header, ...more }, claims, es256(foreign.privateKey))),
    )
  }
  t.equal(visits, 0)
})

test('garbage of every kind is refused', async (t) => {
  const { server, accessToken } = await start(t)
  const [head = '', body = ''] = accessToken.split('.')
  const captcha = expectSuccess(t, await server.call('GET', '/auth/captcha')).codeKey
  const rows = [
    'x',
    '.',
    '..',
    '...',
    'null',
    'undefined',
    head,
    `${head}.${body}`,
    `${accessToken}.${body}`,
    `${head}..`,
    `.${body}.`,
    accessToken.replaceAll('.', ','),
    accessToken.toUpperCase(),
    `${accessToken}=`,
    `"${accessToken}"`,
    captcha,
    '$argon2id$v=19$m=19456,t=2,p=1$YQ$YQ',
    'A'.repeat(8000),
    `${head}.${'A'.repeat(7000)}.AA`,
  ]
  for (const token of rows) {
    await t.test(token.slice(0, 40), async (t) => {
      await expectForged(t, server, token)
      await expectNoEnd(t, server, token, accessToken)
    })
  }
})
