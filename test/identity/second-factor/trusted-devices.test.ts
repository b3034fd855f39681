import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep, signInTwice, type App } from '../../helpers/service/factors.js'
import { email, startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const day = 86_400

const trust = async (t: Test, server: TestServer, app: App): Promise<Record<string, string>> => {
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const answer = await secondStep(server, { ticket, code: app.nextCode(), trustDevice: true })
  expectSuccess(t, answer)
  return { cookie: cookiesOf(answer) }
}

const start = async (t: Test, secondFactor: object = {}) => {
  const server = await startServer(t, { settings: { secondFactor } })
  const { id } = await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const enter = (headers: Record<string, string>, json: object = {}) => firstStep(server, 'alice', { headers, json })
  return { server, app, id, enter }
}

test('the trust lasts from the proof on, whatever happens later, and is bound to the cookie', async (t) => {
  const { server, app, enter } = await start(t)
  const headers = await trust(t, server, app)
  const { accessToken: earlier } = expectSuccess(t, await enter(headers))
  expectProblem(t, await enter({}), 'second_factor_required')
  expectProblem(t, await enter({ authorization: `Bearer ${earlier}` }), 'second_factor_required')
  // Not the last character: some bits of it may mean nothing.
  const changed = (headers['cookie'] ?? '').replace(/=(.)/, (_, first) => `=${first === 'x' ? 'y' : 'x'}`)
  expectProblem(t, await enter({ cookie: changed }), 'second_factor_required')
  server.clock.advance(29 * day)
  expectSuccess(t, await enter(headers))
  server.clock.advance(day)
  expectProblem(t, await enter(headers), 'second_factor_required')
})

test('with trustDays 0 nothing is trusted', async (t) => {
  const { server, app, enter } = await start(t, { trustDays: 0 })
  const headers = await trust(t, server, app)
  const first = await enter(headers)
  expectProblem(t, first, 'second_factor_required')
  t.notOk('trustDays' in first.body.data)
})

test('a change of credentials ends the trust', async (t) => {
  const { server, id } = await start(t)
  const { app: service } = server
  const second = { n: 0 }
  const changes: Record<string, (token: string, app: App) => Promise<unknown>> = {
    'a change of the password': (token) =>
      server.call('POST', '/auth/changePassword', {
        token,
        json: { oldPassword: userPassword, newPassword: `violet umbrella ${second.n++}` },
      }),
    'a password set by an administrator': () =>
      server.operator.setPassword('alice', `violet umbrella ${second.n++}`, { forcePasswordChange: false }),
    'the end of the other sessions': (token) => server.call('DELETE', '/auth/sessions', { token }),
    'a new factor': async (token) => enrol(t, server, token, { name: 'Other' }),
    'disabling the account': async () => {
      await server.operator.setEnabled('alice', false)
      await server.operator.setEnabled('alice', true)
    },
    'forgetting it': (token) => server.call('DELETE', '/auth/trusted-devices', { token }),
  }
  t.ok(operatorActor)
  for (const [name, change] of Object.entries(changes)) {
    await server.operator.setPassword('alice', userPassword, { forcePasswordChange: false })
    await service.db.transaction(async (inside) => {
      await inside.totpSecrets.removeOfUser(id)
      await inside.users.setPassword(id, (await inside.users.find(id))?.passwordHash ?? '', false, server.clock.now())
      await service.accounts.writes.noteFactors(inside, id)
    })
    const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
    const headers = await trust(t, server, app)
    t.equal((await firstStep(server, 'alice', { headers })).status, 200, `${name}: trusted before`)
    await change(await signInTwice(t, server, 'alice', app), app)
    t.strictSame(await service.db.trustedDevices.ofUser(id, server.clock.now()), [], name)
  }
})

test('a password that was reset by a code ends the trust', async (t) => {
  const { server, alice, mailedCode, post } = await startWithMessages(t)
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  await server.app.notices.finish()
  const headers = await trust(t, server, app)
  expectSuccess(t, await firstStep(server, 'alice', { headers }))
  const code = await mailedCode(() => post('/auth/password/forgot', { recipient: email }))
  const newPassword = 'violet umbrella stand'
  expectSuccess(t, await post('/auth/password/reset', { recipient: email, code, newPassword }))
  const answer = await firstStep(server, 'alice', { headers, json: { password: newPassword } })
  expectProblem(t, answer, 'second_factor_required')
  t.strictSame(await server.app.db.trustedDevices.ofUser(alice.id, server.clock.now()), [])
})

test('trusted devices are listed and forgotten one by one, those of others are not there', async (t) => {
  const { server, app, enter } = await start(t)
  const one = await trust(t, server, app)
  const two = await trust(t, server, app)
  const token = await signInTwice(t, server, 'alice', app)
  const list = async (headers: Record<string, string> = {}) =>
    expectSuccess(t, await server.call('GET', '/auth/factors', { token, headers })).trustedDevices
  const devices = await list(one)
  t.equal(devices.length, 2)
  t.strictSame(devices.map(({ current }: any) => current).sort(), [false, true])
  t.strictSame(Object.keys(devices[0]).sort(), [
    ...['address', 'createTime', 'current', 'expiry', 'id', 'lastUsedTime', 'userAgent'],
  ])
  await server.addUser('bob')
  const { accessToken: bob } = await server.signIn('bob')
  const own = devices.find(({ current }: any) => current)
  expectProblem(t, await server.call('DELETE', `/auth/trusted-devices/${own.id}`, { token: bob }), 'not_found')
  expectSuccess(t, await server.call('DELETE', `/auth/trusted-devices/${own.id}`, { token }))
  expectProblem(t, await enter(one), 'second_factor_required')
  expectSuccess(t, await enter(two))
})

test('thirty browsers of an account are trusted, and a further one takes the place of the first', async (t) => {
  const { server, app, id, enter } = await start(t)
  const first = await trust(t, server, app)
  const second = await trust(t, server, app)
  for (let count = 2; count < 30; count++) await trust(t, server, app)
  expectSuccess(t, await enter(first))
  const latest = await trust(t, server, app)
  expectProblem(t, await enter(first), 'second_factor_required')
  for (const headers of [second, latest]) expectSuccess(t, await enter(headers))
  t.equal((await server.app.db.trustedDevices.ofUser(id, server.clock.now())).length, 30)
})

test('however many browsers an earlier version has left, all are forgotten at once', async (t) => {
  const { server, app, id, enter } = await start(t)
  const headers = await trust(t, server, app)
  const token = expectSuccess(t, await enter(headers)).accessToken as string
  const database = await connect(server.directory)
  await database.run(
    `with recursive number(n) as (select 1 union all select n + 1 from number where n < 40000)
    insert into trusted_devices (id, user_id, device_id, user_agent, address, create_time, expiry)
    select 'id' || n, ${id}, 'device' || n, '', '', n, ${server.clock.now() + day * 1000} from number`,
  )
  expectSuccess(t, await server.call('DELETE', '/auth/trusted-devices', { token }))
  t.strictSame(await database.all('select id from trusted_devices'), [])
  await database.close()
  expectProblem(t, await enter(headers), 'second_factor_required')
  expectProblem(t, await server.call('DELETE', '/auth/trusted-devices/id1', { token }), 'not_found')
})
