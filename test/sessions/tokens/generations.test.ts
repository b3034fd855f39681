import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const theft = 'an old token was used again'

/** Signs in; `use` calls with the token of a generation, `next` refreshes it and returns the successor. */
const start = async (t: Test, settings: object = {}) => {
  const server = await startServer(t, { settings: { ...settings } })
  const { accessToken } = await server.signIn()
  return {
    server,
    first: accessToken,
    use: (token: string) => server.call('GET', '/auth/userInfo', { token }),
    refresh: (token: string) => server.call('POST', '/auth/refreshToken', { token }),
    next: async (token: string): Promise<string> =>
      expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken,
  }
}
const isSilent = (t: Test, server: TestServer) => t.notMatch(server.log(), theft, 'no theft was seen')

test('the old token works until 10 s after the new one is first used', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  server.clock.advance(300)
  expectSuccess(t, await use(first))
  expectSuccess(t, await use(second))
  server.clock.advance(9.999)
  expectSuccess(t, await use(first))
  expectSuccess(t, await use(second))
  isSilent(t, server)
  server.clock.advance(1)
  expectProblem(t, await use(first), 'session_revoked')
})

test('the 10 s begin with the first use and are not prolonged by later ones', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  for (let time = 0; time < 10; time += 2) {
    expectSuccess(t, await use(second))
    server.clock.advance(2)
  }
  server.clock.advance(1)
  expectProblem(t, await use(first), 'session_revoked')
})

test('the old token returns the very same successor, as long as it works', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  server.clock.advance(300)
  t.equal(await next(first), second)
  expectSuccess(t, await use(second))
  server.clock.advance(9)
  t.equal(await next(first), second)
  isSilent(t, server)
})

test('a lost answer logs nobody out: the successor is given again, also when it has expired', async (t) => {
  const { server, first, use, next } = await start(t, { clients: { pc: { accessTtl: 60 } } })
  const lost = await next(first)
  server.clock.advance(61)
  const again = await next(first)
  t.not(again, lost, 'a token that has expired is no answer')
  expectSuccess(t, await use(again))
  isSilent(t, server)
})

for (const [sentence, path] of [
  ['used for a call', 'use'],
  ['used for a refresh', 'refresh'],
] as const) {
  test(`an old token ${sentence} later is theft: every token of the session ends, and it is logged`, async (t) => {
    const { server, first, use, next, refresh } = await start(t)
    const other = await server.signIn()
    const second = await next(first)
    expectSuccess(t, await use(second))
    server.clock.advance(11)
    isSilent(t, server)
    const answer = await (path === 'use' ? use(first) : refresh(first))
    expectProblem(t, answer, 'session_revoked')
    t.notMatch(answer.text, /theft|stolen|reuse|old token/)
    for (const token of [first, second]) {
      expectProblem(t, await use(token), 'session_revoked')
      expectProblem(t, await refresh(token), 'session_revoked')
    }
    expectSuccess(t, await use(other.accessToken))
    const lines = server
      .log()
      .split('\n')
      .filter((line) => line.includes(theft))
    t.equal(lines.length, 1)
    const line = JSON.parse(lines[0] ?? '{}')
    t.ok(line.level >= 40, 'a warning')
    t.equal(line.userId, 1)
    t.notMatch(lines[0], /eyJ/, 'without the token')
  })
}

test('R1: r0, r1, r2: using r0 again ends r2 too', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  expectSuccess(t, await use(second))
  server.clock.advance(60)
  const third = await next(second)
  expectSuccess(t, await use(third))
  expectSuccess(t, await use(second))
  expectProblem(t, await use(first), 'session_revoked')
  expectProblem(t, await use(third), 'session_revoked')
})

test('a chain of refreshes at one moment leaves no usable token behind', async (t) => {
  const { server, first, use, next } = await start(t)
  let token = first
  const chain = [first]
  for (let index = 0; index < 5; index++) chain.push((token = await next(token)))
  expectSuccess(t, await use(token))
  server.clock.advance(11)
  expectSuccess(t, await use(token))
  expectProblem(t, await use(chain[0] ?? ''), 'session_revoked')
})

test('refreshing with the new token counts as its first use', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  await next(second)
  expectSuccess(t, await use(first))
  server.clock.advance(11)
  expectProblem(t, await use(first), 'session_revoked')
})

test('signing in again does not disturb the tokens of another session', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  const fresh = await server.signIn()
  server.clock.advance(11)
  for (const token of [first, second, fresh.accessToken]) expectSuccess(t, await use(token))
  isSilent(t, server)
})
