import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

test('right sign-ins neither lengthen the pause of their address nor keep its failures alive', async (t) => {
  const server = await startServer(t, {
    environment: { RATE_LIMITS: 'on' },
    settings: {
      captcha: { mode: 'never' },
      lockout: { addressFailures: 5, nameFailures: 50, window: 60, firstPause: 10 },
    },
  })
  const attempt = (username: string, password: string) =>
    server.call('POST', '/auth/login', { json: { username, password } })
  for (const name of ['one', 'two', 'three', 'four']) {
    expectProblem(t, await attempt(name, 'wrong horse battery'), 'invalid_credentials')
  }
  for (let count = 0; count < 7; count++) expectSuccess(t, await attempt('admin', adminPassword))
  server.clock.advance(60)
  expectProblem(t, await attempt('five', 'wrong horse battery'), 'invalid_credentials')
  expectSuccess(t, await attempt('admin', adminPassword))
  for (const name of ['six', 'seven', 'eight', 'nine']) {
    expectProblem(t, await attempt(name, 'wrong horse battery'), 'invalid_credentials')
  }
  const paused = await attempt('admin', adminPassword)
  expectProblem(t, paused, 'too_many_attempts')
  t.equal(paused.headers.get('retry-after'), '10', 'the first pause is the first')
})

test('with the limits off nothing is counted for an address', async (t) => {
  const server = await startServer(t, { settings: { captcha: { addressFailures: 2 } } })
  for (const username of ['one', 'two', 'three', 'four', 'five']) {
    const answer = await server.call('POST', '/auth/login', { json: { username, password: 'wrong horse battery' } })
    expectProblem(t, answer, 'invalid_credentials')
  }
})
