import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol } from '../../helpers/service/factors.js'
import { createGuessing } from '../../helpers/service/guessing.js'
import { another, email, startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const start = async (t: Test) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1' },
    settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 2 }, rateLimits: { signIn: 10_000 } },
  })
  const { id } = await server.addUser('alice', { email: 'alice@example.com' })
  await server.app.accounts.verifyContacts('alice', { email: true, phone: false }, 1)
  const { id: other } = await server.addUser('bob')
  const { accessToken: token } = await server.signIn()
  const of = async (user: number): Promise<string | null> =>
    expectSuccess(t, await server.call('GET', `/system/user/${user}`, { token })).pausedUntil
  const login = (password: string, address: string, username = 'alice') =>
    server.call('POST', '/auth/login', { json: { username, password }, headers: { 'x-forwarded-for': address } })
  const fail = async (address: string, username?: string) => {
    for (let tries = 0; tries < 2; tries++)
      expectProblem(t, await login('wrong horse', address, username), 'invalid_credentials')
  }
  const inSeconds = (seconds: number) => new Date(server.clock.now() + seconds * 1000).toISOString()
  return { server, id, other, token, paused: () => of(id), pausedOther: () => of(other), login, fail, inSeconds }
}

test('a user says until when somebody must wait after wrong passwords, at any address', async (t) => {
  const { server, id, token, paused, pausedOther, login, fail, inSeconds } = await start(t)
  t.equal(await paused(), null)
  expectProblem(t, await login('wrong horse', '192.0.2.1'), 'invalid_credentials')
  t.equal(await paused(), null, 'a wrong password alone')
  expectProblem(t, await login('wrong horse', '192.0.2.1'), 'invalid_credentials')
  const first = inSeconds(60)
  t.equal(await paused(), first)
  t.equal(await pausedOther(), null)
  server.clock.advance(30)
  await fail('192.0.2.2')
  t.equal(await paused(), inSeconds(60), 'the later end of two')
  const edited = await server.call('PATCH', `/system/user/${id}`, { token, json: { remark: 'asked for help' } })
  t.equal(expectSuccess(t, edited).pausedUntil, inSeconds(60))
  server.clock.advance(60)
  t.equal(await paused(), null, 'it is over')
  expectSuccess(t, await login(userPassword, '192.0.2.1'))
})

test('a longer wait of one is not hidden by a shorter one of another', async (t) => {
  const { server, paused, fail, inSeconds } = await start(t)
  await fail('192.0.2.1')
  server.clock.advance(60)
  await fail('192.0.2.1')
  const long = inSeconds(120)
  await fail('192.0.2.2')
  t.equal(await paused(), long)
})

test('every name of the account counts, and an unlock ends all', async (t) => {
  const { server, id, token, paused, login, fail } = await start(t)
  await fail('192.0.2.1', 'alice@example.com')
  t.type(await paused(), 'string')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/unlock`, { token }))
  t.equal(await paused(), null)
  expectSuccess(t, await login(userPassword, '192.0.2.1', 'alice@example.com'))
})

test('wrong codes of an authenticator app count, too', async (t) => {
  const { server, id, token, paused } = await start(t)
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const { guess } = createGuessing(server, app)
  await guess(t, 10)
  t.type(await paused(), 'string')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/unlock`, { token }))
  t.equal(await paused(), null)
})

test('wrong one-time codes count, too, for the address to which the code was sent', async (t) => {
  const { server, post, mailedCode } = await startWithMessages(t, {
    settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 2 } },
  })
  const { accessToken: token } = await server.signIn()
  const paused = async (): Promise<string | null> =>
    expectSuccess(t, await server.call('GET', '/system/user/2', { token })).pausedUntil
  const code = await mailedCode(() => post('/auth/captcha/email', { email }))
  t.equal(await paused(), null)
  for (let tries = 0; tries < 2; tries++)
    expectProblem(
      t,
      await post('/auth/login', { authType: 'email_captcha', email, code: another(code) }),
      'invalid_code',
    )
  t.type(await paused(), 'string')
})
