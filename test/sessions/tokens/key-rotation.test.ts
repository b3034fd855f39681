import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const day = 24 * 3600
const kidOf = (token: string): string => {
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  return kid
}
const signIn = async (server: TestServer) =>
  (await server.signIn('admin', undefined, { userClient: 'app' })).accessToken
const published = async (server: TestServer): Promise<string[]> => {
  const { body } = await server.call('GET', '/.well-known/jwks.json')
  return (body as unknown as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}
const call = (server: TestServer, token: string) => server.call('GET', '/auth/userInfo', { token })

/** Publishes a key that signs after `publish` milliseconds. */
const rotate = async (server: TestServer, publish: number): Promise<string> => {
  const [made] = await server.app.tokens.rotation.rotate(publish)
  if (!made) throw new Error('no key was published')
  return made.kid
}

/** Waits until the running server has seen that the key is there or is not. */
const seen = (server: TestServer, kid: string, isThere: boolean) =>
  eventually('the server to see the keys', async () =>
    (await published(server)).includes(kid) === isThere ? true : undefined,
  )

test('a rotated key is published first, signs later, and no token is refused in between', async (t) => {
  const server = await startServer(t)
  const first = await signIn(server)
  const kid = await rotate(server, day * 1000)
  await seen(server, kid, true)
  t.equal(kidOf(await signIn(server)), kidOf(first), 'it does not sign yet')
  await t.rejects(server.app.tokens.rotation.rotate(day * 1000), { message: /is published already and signs from/ })
  server.clock.advance(day - 600)
  const last = await signIn(server)
  server.clock.advance(601)
  const next = await signIn(server)
  t.equal(kidOf(last), kidOf(first))
  t.equal(kidOf(next), kid)
  for (const token of [last, next]) expectSuccess(t, await call(server, token))
  t.same((await published(server)).sort(), [kidOf(first), kid].sort())
})

test('an old key leaves the key set when its tokens have expired, and the database when none can be refreshed', async (t) => {
  const server = await startServer(t)
  const old = await signIn(server)
  const kid = await rotate(server, 600_000)
  await seen(server, kid, true)
  server.clock.advance(601)
  // The longest access token lives for an hour.
  server.clock.advance(3600 + 600)
  t.same(await published(server), [kid])
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: old }))
  t.equal(kidOf(refreshed.accessToken as string), kid, 'its expired token can still be refreshed')
  await server.app.tokens.rotation.tidy(server.clock.now())
  t.equal((await server.app.db.signingKeys.list()).length, 2)
  server.clock.advance(30 * day + 600)
  t.equal(await server.app.tokens.rotation.tidy(server.clock.now()), 1)
  t.same(
    (await server.app.db.signingKeys.list()).map((key) => key.kid),
    [kid],
  )
})

test('keys rotate by age, once, and not with rotateAfterDays 0', async (t) => {
  const server = await startServer(t)
  const { rotation } = server.app.tokens
  server.clock.advance(88 * day)
  await rotation.tidy(server.clock.now())
  t.equal((await rotation.list()).length, 1)
  server.clock.advance(day + 1)
  for (let count = 0; count < 3; count++) await rotation.tidy(server.clock.now())
  t.same(
    (await rotation.list()).map(({ status }) => status),
    ['next', 'signing'],
  )
  server.clock.advance(day)
  t.same(
    (await rotation.list()).map(({ status }) => status),
    ['signing', 'verifying'],
  )

  const fixed = await startServer(t, { settings: { keys: { rotateAfterDays: 0 } } })
  fixed.clock.advance(1000 * day)
  await fixed.app.tokens.rotation.tidy(fixed.clock.now())
  t.equal((await fixed.app.tokens.rotation.list()).length, 1)
})

test('revoking a key ends its sessions at once, also on another running server, and another key signs', async (t) => {
  const server = await startServer(t)
  const before = await signIn(server)
  const kid = await rotate(server, 600_000)
  await seen(server, kid, true)
  server.clock.advance(1200)
  const stolen = await signIn(server)
  t.equal(kidOf(stolen), kid)
  expectSuccess(t, await call(server, stolen))
  const { ended } = await server.app.tokens.rotation.revoke(kid)
  t.ok(ended >= 1)
  const refused = await call(server, stolen)
  t.equal(refused.status, 401, 'before the server has looked at the keys')
  t.notOk((await server.app.db.signingKeys.list()).some((key) => key.kid === kid))
  await seen(server, kid, false)
  expectProblem(t, await call(server, stolen), 'token_invalid')
  const after = await signIn(server)
  t.not(kidOf(after), kid)
  t.not(kidOf(after), kidOf(before), 'the older key does not sign again')
  expectSuccess(t, await call(server, after))
  await t.rejects(server.app.tokens.rotation.revoke(kid), { message: /There is no signing key/ })
})

test('revoking the only key makes a new one; revoking a published one leaves sessions alone', async (t) => {
  const server = await startServer(t)
  const token = await signIn(server)
  const kid = await rotate(server, day * 1000)
  t.same(await server.app.tokens.rotation.revoke(kid), { kid, ended: 0 })
  expectSuccess(t, await call(server, token))
  t.same(await server.app.tokens.rotation.revoke(kidOf(token)), { kid: kidOf(token), ended: 1 })
  await seen(server, kidOf(token), false)
  t.equal((await call(server, token)).status, 401)
  expectSuccess(t, await call(server, await signIn(server)))
})

test('keys of both algorithms are rotated and revoked each for itself', async (t) => {
  const server = await startServer(t)
  const { rotation, signers } = server.app.tokens
  const token = await signIn(server)
  await Promise.all([signers.need('RS256'), signers.need('RS256')])
  const kidsOf = async (algorithm: string, status: string) =>
    (await rotation.list()).filter((key) => key.algorithm === algorithm && key.status === status).map(({ kid }) => kid)
  const [first = '', ...more] = await kidsOf('RS256', 'signing')
  t.same(more, [], 'one, although it was asked for twice')
  await seen(server, first, true)
  const { body } = await server.call('GET', '/.well-known/jwks.json')
  const set = (body as unknown as { keys: Record<string, string>[] }).keys
  const rsa = set.find(({ kid }) => kid === first)
  t.same(Object.keys(rsa ?? {}).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  t.match(rsa, { kty: 'RSA', alg: 'RS256', use: 'sig' })
  t.equal(Buffer.from(rsa?.['n'] ?? '', 'base64url').length * 8, 2048)
  expectSuccess(t, await call(server, token))

  const made = await rotation.rotate(600_000)
  t.same(
    made.map(({ algorithm }) => algorithm),
    ['ES256', 'RS256'],
  )
  server.clock.advance(601)
  t.same(await kidsOf('RS256', 'signing'), [made[1]?.kid])
  t.same(await kidsOf('RS256', 'verifying'), [first])
  t.same(await kidsOf('ES256', 'signing'), [made[0]?.kid])
  t.same(await rotation.revoke(made[1]?.kid ?? ''), { kid: made[1]?.kid, ended: 0 }, 'it has signed no access token')
  t.equal((await kidsOf('RS256', 'signing')).length, 1)
  t.notOk((await kidsOf('RS256', 'signing')).includes(first), 'the older key does not sign again')
  expectSuccess(t, await call(server, await signIn(server)))

  server.clock.advance(89 * day + 1)
  for (let count = 0; count < 2; count++) await rotation.tidy(server.clock.now())
  t.same(
    (await rotation.list())
      .filter(({ status }) => status === 'next')
      .map(({ algorithm }) => algorithm)
      .sort(),
    ['ES256', 'RS256'],
  )
})
