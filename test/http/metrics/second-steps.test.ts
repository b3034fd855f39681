import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startServer } from '../../helpers/service/server.js'

test('first and second steps of a sign-in are counted by method and outcome', async (t) => {
  const server = await startServer(t, { environment: { METRICS_PORT: '0' } })
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const ticket = async () => (await firstStep(server, 'alice')).body.data.ticket as string
  const wrong = { ticket: await ticket(), code: 'no code' }
  expectProblem(t, await secondStep(server, wrong), 'invalid_code')
  expectSuccess(t, await secondStep(server, { ticket: await ticket(), code: app.nextCode() }))
  const [code = ''] = app.recoveryCodes
  expectSuccess(t, await secondStep(server, { authType: 'recovery', ticket: await ticket(), code }))
  const text = await (await fetch(`http://127.0.0.1:${server.app.metrics?.port ?? 0}/metrics`)).text()
  const rows = [
    ['password', 'success', 1],
    ['password', 'second_factor_required', 3],
    ['totp', 'invalid_code', 1],
    ['totp', 'success', 1],
    ['recovery', 'success', 1],
  ]
  for (const [method, outcome, count] of rows)
    t.match(text, `rollcall_sign_ins_total{method="${method}",outcome="${outcome}"} ${count}\n`)
  t.notMatch(text, code)
})
