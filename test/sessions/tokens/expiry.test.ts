import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { decodeToken } from '../../helpers/service/token.js'

const clients = {
  pc: { accessTtl: 100, idleTtl: 1000, maxTtl: 10_000 },
  app: { accessTtl: 200, idleTtl: 1000, maxTtl: 10_000 },
  h5: { accessTtl: 300, idleTtl: 1000, maxTtl: 10_000 },
  wechat: { accessTtl: 400, idleTtl: 1000, maxTtl: 10_000 },
}

test('a token lives as long as its client kind allows, and not a moment more', async (t) => {
  const server = await startServer(t, { settings: { clients } })
  for (const [userClient, { accessTtl }] of Object.entries(clients)) {
    await t.test(`${userClient}: ${accessTtl} s`, async (t) => {
      const { accessToken: token, expiresIn } = await server.signIn('admin', undefined, { userClient })
      t.equal(expiresIn, accessTtl)
      const { claims } = decodeToken(token)
      t.equal(claims['exp'] - claims['iat'], accessTtl)
      server.clock.advance(accessTtl - 0.001)
      expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
      server.clock.advance(0.001)
      t.equal(server.clock.now(), claims['exp'] * 1000)
      const answer = await server.call('GET', '/auth/userInfo', { token })
      expectProblem(t, answer, 'token_expired')
      t.match(answer.headers.get('www-authenticate'), 'error="invalid_token"')
    })
  }
})

test('a token that was accepted a moment ago expires all the same', async (t) => {
  const server = await startServer(t, { settings: { clients } })
  const { accessToken: token } = await server.signIn()
  for (let second = 0; second < 100; second += 10) {
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    server.clock.advance(10)
  }
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'token_expired')
  expectProblem(t, await server.call('GET', '/system/user/page', { token }), 'token_expired')
  expectProblem(t, await server.call('GET', '/auth/current/permissions', { token }), 'token_expired')
})

test('what needs no token takes an expired one', async (t) => {
  const server = await startServer(t, { settings: { clients } })
  const { accessToken: token } = await server.signIn()
  server.clock.advance(101)
  const json = { username: 'admin', password: 'correct horse battery' }
  expectSuccess(t, await server.call('GET', '/auth/captcha', { token }))
  expectSuccess(t, await server.call('GET', '/auth/loginConfig', { token }))
  expectSuccess(t, await server.call('POST', '/auth/login', { token, json }))
})

test('a token never outlives its session', async (t) => {
  const short = { pc: { accessTtl: 1000, idleTtl: 5000, maxTtl: 300 } }
  const server = await startServer(t, { settings: { clients: short } })
  const first = await server.signIn()
  t.equal(first.expiresIn, 300)
  server.clock.advance(250)
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: first.accessToken }))
  t.equal(refreshed.expiresIn, 50)
  t.equal(decodeToken(refreshed.accessToken).claims['exp'], decodeToken(first.accessToken).claims['exp'])
  server.clock.advance(50)
  for (const [method, path] of [
    ['GET', '/auth/userInfo'],
    ['POST', '/auth/refreshToken'],
  ] as const) {
    const answer = await server.call(method, path, { token: refreshed.accessToken })
    t.equal(answer.status, 401)
    t.match(answer.body.data.reason, /^(token|session)_expired$/)
  }
})

test('expiresIn is what is left when a token is handed out again', async (t) => {
  const server = await startServer(t, { settings: { clients } })
  const { accessToken: token } = await server.signIn()
  const first = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  server.clock.advance(40)
  const again = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  t.equal(again.accessToken, first.accessToken)
  t.strictSame([first.expiresIn, again.expiresIn], [100, 60])
})
