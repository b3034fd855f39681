import { test, type Test } from 'tap'
import { bodyOf } from '../../helpers/peers/mail-server.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, signInTwice } from '../../helpers/service/factors.js'
import { startWithMessages } from '../../helpers/service/self-service.js'

const start = async (t: Test) => {
  const started = await startWithMessages(t)
  const { server } = started
  const { accessToken: token } = await server.signIn('alice')
  const app = await enrol(t, server, token, { name: 'My phone' })
  const call = (method: string, path: string, json?: object, as = token) =>
    server.call(method, path, { token: as, ...(json && { json }) })
  return { ...started, token, app, call }
}

test('factors are listed, renamed and removed; each change is told by mail and recorded (ASVS 6.3.7, ASVS 6.5.6)', async (t) => {
  const { server, app, call, mailServer, token } = await start(t)
  const list = async (as = token) => expectSuccess(t, await call('GET', '/auth/factors', undefined, as))
  const [factor] = (await list()).factors
  t.match(factor, { id: app.id, kind: 'totp', name: 'My phone', backedUp: null, discoverable: null, secondOnly: true })
  t.equal(expectSuccess(t, await call('PATCH', `/auth/factors/${app.id}`, { name: 'Old phone' })).name, 'Old phone')
  for (const name of ['', ' ', '\u200b', 'x'.repeat(65)])
    expectProblem(t, await call('PATCH', `/auth/factors/${app.id}`, { name }), 'invalid_request', ['name'])
  expectProblem(t, await call('PATCH', '/auth/factors/unknown', { name: 'x' }), 'not_found')
  await server.addUser('bob')
  const { accessToken: bob } = await server.signIn('bob')
  expectProblem(t, await call('DELETE', `/auth/factors/${app.id}`, undefined, bob), 'not_found')
  const other = await signInTwice(t, server, 'alice', app)
  expectSuccess(t, await call('DELETE', `/auth/factors/${app.id}`))
  expectProblem(t, await call('GET', '/auth/userInfo', undefined, other), 'session_revoked')
  expectProblem(t, await call('DELETE', `/auth/factors/${app.id}`), 'not_found')
  t.strictSame((await list()).factors, [])
  const mails = (await mailServer.waitFor(2)).map(({ raw }) => bodyOf(raw))
  t.match(mails.join('\n'), /A second factor was added to your account alice: My phone/)
  t.match(mails.join('\n'), /A second factor was removed from your account alice: Old phone/)
  const { records } = await server.app.audit.page(undefined, { action: 'user.factor' })
  t.strictSame(
    records.map(({ before, after }) => [before, after]),
    [
      [{ kind: 'totp', name: 'Old phone' }, null],
      [{ name: 'My phone' }, { name: 'Old phone' }],
      [null, { kind: 'totp', name: 'My phone' }],
    ],
  )
  t.notMatch(JSON.stringify(records), app.secret)
})

test('a new factor ends the other sessions, and the record of the user says that there is one', async (t) => {
  const { server, call, app } = await start(t)
  const { accessToken: admin } = await server.signIn()
  const record = async () =>
    expectSuccess(t, await call('GET', '/system/user/page?username=alice', undefined, admin)).records[0].hasSecondFactor
  t.equal(await record(), true)
  expectSuccess(t, await call('DELETE', `/auth/factors/${app.id}`))
  t.equal(await record(), false)
  const { accessToken: second } = await server.signIn('alice')
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  expectProblem(t, await call('GET', '/auth/userInfo', undefined, second), 'session_revoked')
})

test('an account has at most five apps', async (t) => {
  const { server, token, call } = await start(t)
  for (let count = 1; count < 5; count++) {
    server.clock.advance(30)
    await enrol(t, server, token, { name: `App ${count}` })
  }
  expectProblem(t, await call('POST', '/auth/factors/totp', {}), 'factor_limit_reached')
})

test('requests about factors need a session, and none answers before a forced change of the password but the list', async (t) => {
  const { server, call, app } = await start(t)
  await server.addUser('carol', { forcePasswordChange: true })
  const { accessToken: carol } = await server.signIn('carol')
  const requests: [string, string, object?][] = [
    ['POST', '/auth/factors/totp', {}],
    ['POST', '/auth/factors/totp/confirm', { key: 'x', code: '1' }],
    ['POST', '/auth/factors/recovery-codes'],
    ['PATCH', `/auth/factors/${app.id}`, { name: 'x' }],
    ['DELETE', `/auth/factors/${app.id}`],
  ]
  for (const [method, path, json] of requests) {
    expectProblem(t, await server.call(method, path, json ? { json } : {}), 'token_missing')
    expectProblem(t, await call(method, path, json, carol), 'password_change_required')
  }
  expectSuccess(t, await call('GET', '/auth/factors', undefined, carol))
})
