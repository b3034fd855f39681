import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { hoursKeptOut, startAttack } from '../../helpers/load/lockout-attack.js'

test('L2: three hours of 1,000 addresses keep out neither a known device nor a known address nor a new device with a contact', async (t) => {
  const { newDeviceWithout, ...kept } = await hoursKeptOut(t, 3, 30)
  t.same(kept, { knownDevice: 0, knownAddress: 0, newDeviceWithContact: 0 })
  t.ok(newDeviceWithout >= 0, 'who is a stranger in every way waits')
})

test('a code sent to a contact that was verified by an earlier one lifts the pause of the name for everybody', async (t) => {
  const { login, signInByCode, stranger, strike, fresh } = await startAttack(t, { lockout: { firstPause: 3600 } })
  expectSuccess(t, await signInByCode())
  await strike()
  expectProblem(t, await login(fresh()), 'too_many_attempts')
  expectSuccess(t, await signInByCode())
  expectSuccess(t, await login(fresh()))
  expectProblem(t, await login(stranger(), 'wrong horse battery'), 'invalid_credentials')
})

test('the first code sent to a contact verifies it and lifts nothing yet, unless an operator has verified it', async (t) => {
  for (const isVerified of [false, true]) {
    const { server, login, signInByCode, strike, fresh } = await startAttack(t, { lockout: { firstPause: 3600 } })
    await strike()
    expectProblem(t, await login(fresh()), 'too_many_attempts')
    if (isVerified) await server.app.accounts.verifyContacts('alice', { phone: true, email: false })
    expectSuccess(t, await signInByCode())
    const answer = await login(fresh())
    if (isVerified) expectSuccess(t, answer)
    else expectProblem(t, answer, 'too_many_attempts')
  }
})
