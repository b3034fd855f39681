import { test } from 'tap'
import { startLinking } from '../../helpers/peers/linking.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, secondStep } from '../../helpers/service/factors.js'

for (const { amr, secondFactorAmr, isEnough } of [
  { amr: undefined, secondFactorAmr: ['mfa'], isEnough: false },
  { amr: ['pwd'], secondFactorAmr: ['mfa'], isEnough: false },
  { amr: ['pwd', 'mfa'], secondFactorAmr: [], isEnough: false },
  { amr: ['pwd', 'mfa'], secondFactorAmr: ['hwk', 'mfa'], isEnough: true },
  { amr: 'mfa', secondFactorAmr: ['mfa'], isEnough: true },
]) {
  test(`amr ${JSON.stringify(amr)} where ${JSON.stringify(secondFactorAmr)} is trusted`, async (t) => {
    const { server, join, linkIdentity, enter } = await startLinking(t, {
      federation: { unknownIdentity: 'refuse' },
      platforms: { corporate: { claims: (honest) => ({ ...honest, ...(amr === undefined ? {} : { amr }) }) } },
      provider: { secondFactorAmr },
    })
    const token = await join('anna')
    expectSuccess(t, await linkIdentity(token))
    const app = await enrol(t, server, token)
    const answer = await enter()
    if (isEnough) {
      const { accessToken } = expectSuccess(t, answer)
      expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token: accessToken, json: {} }))
      return
    }
    expectProblem(t, answer, 'second_factor_required')
    const { ticket } = answer.body.data as unknown as { ticket: string }
    expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  })
}
