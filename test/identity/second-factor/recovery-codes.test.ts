import { test, type Test } from 'tap'
import { bodyOf } from '../../helpers/peers/mail-server.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, firstStep, secondStep, signInTwice } from '../../helpers/service/factors.js'

const start = async (t: Test) => {
  const started = await startWithMessages(t)
  const app = await enrol(t, started.server, (await started.server.signIn('alice')).accessToken)
  const answer = async (code: string) => {
    const { ticket } = (await firstStep(started.server, 'alice')).body.data
    return secondStep(started.server, { authType: 'recovery', ticket, code })
  }
  return { ...started, app, answer }
}

test('a recovery code signs in once, however it is written, and the owner is told how many are left (ASVS 6.5.1, ASVS 6.5.4)', async (t) => {
  const { server, app, answer, mailServer } = await start(t)
  const [first = '', second = '', third = ''] = app.recoveryCodes
  for (const code of app.recoveryCodes) t.match(code, /^([2-9A-HJ-NP-Z]{4}-){5}[2-9A-HJ-NP-Z]{4}$/)
  t.equal(new Set(app.recoveryCodes).size, 10)
  const sent = (await mailServer.waitFor(1)).length
  expectSuccess(t, await answer(first))
  const mail = (await mailServer.waitFor(sent + 1))[sent]
  t.match(bodyOf(mail?.raw ?? ''), /Codes that are left: 9/)
  expectProblem(t, await answer(first), 'invalid_code')
  expectSuccess(t, await answer(second.toLowerCase().replaceAll('-', '')))
  expectSuccess(t, await answer(` ${third.replaceAll('-', ' ')} `))
  expectProblem(t, await answer('AAAA-BBBB-CCCC-DDDD-EEEE-FFFF'), 'invalid_code')
  const token = await signInTwice(t, server, 'alice', app)
  t.equal(expectSuccess(t, await server.call('GET', '/auth/factors', { token })).recoveryCodesLeft, 7)
  for (const code of app.recoveryCodes) t.notMatch(server.log(), code)
})

test('ten new codes void the old ones, and the last factor takes them along', async (t) => {
  const { server, app, answer } = await start(t)
  const token = await signInTwice(t, server, 'alice', app)
  const made = expectSuccess(t, await server.call('POST', '/auth/factors/recovery-codes', { token }))
  t.equal(made.recoveryCodes.length, 10)
  expectProblem(t, await answer(app.recoveryCodes[0] ?? ''), 'invalid_code')
  expectSuccess(t, await answer(made.recoveryCodes[0]))
  expectSuccess(t, await server.call('DELETE', `/auth/factors/${app.id}`, { token }))
  const rest = expectSuccess(t, await server.call('GET', '/auth/factors', { token }))
  t.match(rest, { factors: [], recoveryCodesLeft: 0 })
  expectProblem(t, await server.call('POST', '/auth/factors/recovery-codes', { token }), 'not_found')
  t.ok((await server.signIn('alice')).accessToken)
})

test('who has lost the phone signs in by a recovery code, removes the old app and sets up a new one', async (t) => {
  const { server, app, answer } = await start(t)
  const { accessToken: token } = expectSuccess(t, await answer(app.recoveryCodes[0] ?? ''))
  expectSuccess(t, await server.call('DELETE', `/auth/factors/${app.id}`, { token }))
  const other = await enrol(t, server, token, { name: 'New phone' })
  t.equal(other.recoveryCodes.length, 10)
  expectProblem(t, await answer(app.recoveryCodes[1] ?? ''), 'invalid_code')
  const { ticket } = (await firstStep(server, 'alice')).body.data
  expectProblem(t, await secondStep(server, { ticket, code: app.nextCode() }), 'invalid_code')
  expectSuccess(t, await secondStep(server, { ticket, code: other.nextCode() }))
})
