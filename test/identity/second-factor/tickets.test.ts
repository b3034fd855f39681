import { test, type Test } from 'tap'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { bodyOf } from '../../helpers/peers/mail-server.js'

const start = async (t: Test) => {
  const server = await startServer(t, { settings: { lockout: { nameFailures: 100 } } })
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const ticketOf = async (json: object = {}): Promise<string> =>
    (await firstStep(server, 'alice', { json })).body.data.ticket as string
  return { server, app, ticketOf }
}

test('a ticket is good for one session, for ten minutes, at its own tenant and kind of client', async (t) => {
  const { server, app, ticketOf } = await start(t)
  const other = await server.operator.addTenant('Other')
  const refuse = async (ticket: string, more: object = {}) =>
    expectProblem(t, await secondStep(server, { ticket, code: app.nextCode(), ...more }), 'invalid_grant')
  await refuse('x'.repeat(43))
  await refuse(await ticketOf(), { tenantId: other.id })
  await refuse(await ticketOf(), { userClient: 'app' })
  const ofApp = await ticketOf({ userClient: 'app' })
  await refuse(ofApp, { userClient: 'pc' })
  expectSuccess(t, await secondStep(server, { ticket: ofApp, code: app.nextCode() }))
  await refuse(ofApp)
  const late = await ticketOf()
  server.clock.advance(601)
  await refuse(late)
  const early = await ticketOf()
  await server.operator.setPassword('alice', 'another long phrase', { forcePasswordChange: false })
  await refuse(early)
})

test('a ticket that is missing is named; a method that the account does not have is refused', async (t) => {
  const { server } = await start(t)
  for (const authType of ['totp', 'recovery'])
    expectProblem(
      t,
      await server.call('POST', '/auth/login', { json: { authType, code: '123456' } }),
      'invalid_request',
      ['ticket'],
    )
  const json = { authType: 'totp', ticket: 'x' }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_request', ['code'])
  await server.app.db.transaction((inside) => inside.recoveryCodes.removeOfUser(2))
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const recovery = await secondStep(server, { authType: 'recovery', ticket, code: 'ABCD' })
  expectProblem(t, recovery, 'unsupported_auth_type')
})

test('the fifth wrong code ends the ticket, and the owner is told that somebody knows the password (ASVS 6.3.5)', async (t) => {
  const { server, mailServer } = await startWithMessages(t)
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const sent = (await mailServer.waitFor(1)).length
  const { ticket } = (await firstStep(server, 'alice')).body.data
  for (let tries = 0; tries < 5; tries++)
    expectProblem(t, await secondStep(server, { ticket, code: `00000${tries}` }), 'invalid_code')
  expectProblem(t, await secondStep(server, { ticket, code: app.nextCode() }), 'invalid_grant')
  const mail = (await mailServer.waitFor(sent + 1))[sent]
  t.match(bodyOf(mail?.raw ?? ''), /may know your password/)
  t.notMatch(bodyOf(mail?.raw ?? ''), userPassword)
})

test('wrong codes of an account are counted across tickets, and lock no password (ASVS 6.3.1)', async (t) => {
  const { server, app, ticketOf } = await start(t)
  for (let tries = 0; tries < 10; tries++) {
    const answer = await secondStep(server, { ticket: await ticketOf(), code: '000000' })
    expectProblem(t, answer, 'invalid_code')
  }
  const paused = await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() })
  expectProblem(t, paused, 'too_many_attempts')
  t.ok(Number(paused.headers.get('retry-after')) <= 60)
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_required')
  server.clock.advance(61)
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() }))
})

test('a right code that has been used pauses nobody, and ends its ticket at the fifth try', async (t) => {
  const { server, app, ticketOf } = await start(t)
  const code = app.nextCode()
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(), code }))
  const [recoveryCode = ''] = app.recoveryCodes
  expectSuccess(t, await secondStep(server, { authType: 'recovery', ticket: await ticketOf(), code: recoveryCode }))
  for (const used of [{ code }, { authType: 'recovery', code: recoveryCode }]) {
    const ticket = await ticketOf()
    for (let tries = 0; tries < 5; tries++)
      expectProblem(t, await secondStep(server, { ...used, ticket }), 'invalid_code')
    expectProblem(t, await secondStep(server, { ...used, ticket }), 'invalid_grant')
    const other = await ticketOf()
    expectProblem(t, await secondStep(server, { ...used, ticket: other }), 'invalid_code')
  }
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() }))
})

test('wrong codes of strangers do not keep a known device out, and those of a known device keep no stranger out', async (t) => {
  const { server, app, ticketOf } = await start(t)
  const entered = await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() })
  expectSuccess(t, entered)
  const known = { cookie: cookiesOf(entered) }
  const fail = async (headers: Record<string, string>) =>
    secondStep(server, { ticket: await ticketOf(), code: '000000' }, headers)
  for (let tries = 0; tries < 10; tries++) expectProblem(t, await fail({}), 'invalid_code')
  expectProblem(t, await fail({}), 'too_many_attempts')
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() }, known))
  server.clock.advance(61)
  for (let tries = 0; tries < 10; tries++) expectProblem(t, await fail(known), 'invalid_code')
  expectProblem(t, await fail(known), 'too_many_attempts')
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() }))
})

test('each step is in the login log, and the first one is no failure', async (t) => {
  const { server, app, ticketOf } = await start(t)
  for (let count = 0; count < 120; count++) await ticketOf()
  const ticket = await ticketOf()
  expectProblem(t, await secondStep(server, { ticket, code: '000000' }), 'invalid_code')
  expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  const { accessToken: token } = await server.signIn()
  const page = expectSuccess(
    t,
    await server.call('GET', '/system/login-log/page', { token, query: { subject: 'alice' } }),
  )
  const rows = page.records.map(({ authType, reason }: any) => [authType, reason])
  for (const row of [
    ['password', 'second_factor_required'],
    ['totp', 'invalid_code'],
    ['totp', null],
  ])
    t.ok(
      rows.some((one: unknown[]) => one[0] === row[0] && one[1] === row[1]),
      JSON.stringify(row),
    )
  for (const secret of [ticket, app.secret, userPassword]) t.notMatch(server.log(), secret)
})
