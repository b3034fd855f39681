import { generateKeyPairSync } from 'node:crypto'
import { test } from 'tap'
import { generateKey } from '../../../plugins/sessions/tokens/signing-keys.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../../helpers/service/server.js'

const kidOf = (token: string): unknown => {
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: unknown }
  return kid
}

test('the name of a key is never taken for an option of the command line', async (t) => {
  const server = await startServer(t)
  for (let count = 0; count < 300; count++)
    t.match((await generateKey(server.app.encryption, 'ES256', 0)).kid, /^\w[\w-]{11}$/)
})

/** Adds a signing key as another process would, which signs `seconds` from now on. */
const addKey = async ({ app, clock }: TestServer, kid: string, seconds = 0) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = clock.now()
  await app.db.signingKeys.add({
    kid,
    algorithm: 'ES256',
    publicJwk: JSON.stringify(publicKey.export({ format: 'jwk' })),
    encryptedPrivateJwk: app.encryption.encrypt(
      JSON.stringify(privateKey.export({ format: 'jwk' })),
      `signing key ${kid}`,
    ),
    createTime: now,
    activeTime: now + seconds * 1000,
  })
}

const signIn = async (server: TestServer): Promise<string> =>
  (
    await server.call('POST', '/auth/login', {
      json: { username: 'admin', password: adminPassword, userClient: 'app' },
    })
  ).body.data.accessToken

test('tokens of all keys are accepted and new ones are signed by the newest active key, without a restart', async (t) => {
  const server = await startServer(t)
  const first = await signIn(server)
  server.clock.advance(10)
  await addKey(server, 'second')
  // A token of an unknown key makes the service look for new keys.
  const stranger = first.replace(
    /^[^.]+/,
    Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"x"}').toString('base64url'),
  )
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: stranger }), 'token_invalid')
  const second = await signIn(server)
  t.equal(kidOf(second), 'second')
  t.not(kidOf(first), 'second')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: second }))
  const { body } = await server.call('GET', '/.well-known/jwks.json')
  t.same(
    (body as unknown as { keys: { kid: string }[] }).keys.map(({ kid }) => kid).sort(),
    [kidOf(first), 'second'].sort(),
  )
})

test('a published key signs nothing before its time', async (t) => {
  const server = await startServer(t)
  await addKey(server, 'later', 3600)
  const restarted = await startServer(t, { data: server.directory })
  t.not(kidOf(await signIn(restarted)), 'later')
  restarted.clock.advance(3601)
  const token = await signIn(restarted)
  t.equal(kidOf(token), 'later')
  expectSuccess(t, await restarted.call('GET', '/auth/userInfo', { token }))
})
