import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const clients = {
  pc: { accessTtl: 100, idleTtl: 600, maxTtl: 3000 },
  app: { accessTtl: 100, idleTtl: 900, maxTtl: 4000 },
  h5: { accessTtl: 100, idleTtl: 300, maxTtl: 2000 },
  wechat: { accessTtl: 100, idleTtl: 1200, maxTtl: 5000 },
}
const settings = { clients }
const refresh = (server: TestServer, token: string) => server.call('POST', '/auth/refreshToken', { token })
const use = (server: TestServer, token: string) => server.call('GET', '/auth/userInfo', { token })

for (const [userClient, { idleTtl, maxTtl }] of Object.entries(clients)) {
  test(`S2: ${userClient}: unused for ${idleTtl} s a session has expired`, async (t) => {
    const server = await startServer(t, { settings })
    const early = await server.signIn('admin', undefined, { userClient })
    server.clock.advance(idleTtl - 1)
    const next = expectSuccess(t, await refresh(server, early.accessToken))
    server.clock.advance(idleTtl + 1)
    const answer = await refresh(server, next.accessToken)
    expectProblem(t, answer, 'session_expired')
    t.match(answer.headers.get('www-authenticate'), 'error="invalid_token"')
    expectProblem(t, await refresh(server, early.accessToken), 'session_expired')
  })

  test(`S2: ${userClient}: after ${maxTtl} s a session has expired, however much it is used`, async (t) => {
    const server = await startServer(t, { settings })
    let { accessToken: token } = await server.signIn('admin', undefined, { userClient })
    for (let time = 0; time + 90 < maxTtl; time += 90) {
      server.clock.advance(90)
      const data = expectSuccess(t, await refresh(server, token))
      token = data.accessToken
      t.ok(data.expiresIn <= maxTtl - time - 90, 'the token does not outlive the session')
      expectSuccess(t, await use(server, token))
    }
    const last = token
    server.clock.advance(maxTtl % 90 === 0 ? 90 : maxTtl % 90)
    expectProblem(t, await refresh(server, last), 'session_expired')
    server.clock.advance(1)
    expectProblem(t, await refresh(server, last), 'session_expired')
  })
}

test('calls keep a session awake as refreshes do', async (t) => {
  const awake = { pc: { accessTtl: 3000, idleTtl: 600, maxTtl: 3000 } }
  const server = await startServer(t, { settings: { clients: awake } })
  const { accessToken: token } = await server.signIn()
  for (let time = 0; time < 2000; time += 500) {
    server.clock.advance(500)
    expectSuccess(t, await use(server, token))
  }
  server.clock.advance(601)
  expectProblem(t, await use(server, token), 'session_expired')
  expectProblem(t, await refresh(server, token), 'session_expired')
})

test('open endpoints keep no session awake', async (t) => {
  const server = await startServer(t, {
    settings: { clients: { pc: { accessTtl: 3000, idleTtl: 600, maxTtl: 3000 } } },
  })
  const { accessToken: token } = await server.signIn()
  for (let time = 0; time < 600; time += 100) {
    server.clock.advance(100)
    await server.call('GET', '/auth/loginConfig', { token })
    await server.call('GET', '/auth/captcha', { token })
  }
  expectProblem(t, await use(server, token), 'session_expired')
})

test('a refused call keeps no session awake', async (t) => {
  const server = await startServer(t, { settings })
  const { accessToken: token } = await server.signIn()
  server.clock.advance(100)
  for (let time = 0; time < 500; time += 100) {
    expectProblem(t, await use(server, token), 'token_expired')
    server.clock.advance(100)
  }
  expectProblem(t, await refresh(server, token), 'session_expired')
})

test('an expired session is told so also when its rows have been deleted', async (t) => {
  const server = await startServer(t, { settings })
  const [expired, ended] = [await server.signIn(), await server.signIn()]
  await server.call('POST', '/auth/logout', { token: ended.accessToken })
  server.clock.advance(2000)
  await server.app.housekeeping.run()
  expectProblem(t, await refresh(server, expired.accessToken), 'session_expired')
  expectProblem(t, await refresh(server, ended.accessToken), 'session_revoked')
  server.clock.advance(1001)
  t.ok((await server.app.housekeeping.run()) >= 2)
  expectProblem(t, await refresh(server, expired.accessToken), 'session_expired')
  expectSuccess(t, await server.call('POST', '/auth/logout', { token: expired.accessToken }))
})

test('S2: no sign-in revives an expired session', async (t) => {
  const server = await startServer(t, { settings })
  const { accessToken: token } = await server.signIn()
  server.clock.advance(601)
  await server.signIn()
  expectProblem(t, await refresh(server, token), 'session_expired')
})
