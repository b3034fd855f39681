import { test } from 'tap'
import { oathtoolCodeAt, skipped as skip } from '../../helpers/processes/oathtool.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, firstStep, secondStep, stepLength } from '../../helpers/service/factors.js'
import { startServer } from '../../helpers/service/server.js'

test('the codes of another implementation set an app up and sign in: oathtool', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const { key, secret } = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
  const codeNow = (offset = 0) => oathtoolCodeAt(secret, server.clock.now() + offset * stepLength * 1000)
  const confirm = (code: string) => server.call('POST', '/auth/factors/totp/confirm', { token, json: { key, code } })
  const ahead = await confirm(codeNow(4))
  expectProblem(t, ahead, 'invalid_code')
  t.equal(ahead.body.data.clockOffset, 4 * stepLength)
  t.equal(expectSuccess(t, await confirm(codeNow())).factor.kind, 'totp')
  // Also beyond 2038.
  for (const seconds of [stepLength, 3600, 400 * 86_400, 15 * 365 * 86_400]) {
    server.clock.advance(seconds)
    const { ticket } = (await firstStep(server, 'alice')).body.data
    expectProblem(t, await secondStep(server, { ticket, code: codeNow(-2) }), 'invalid_code')
    expectSuccess(t, await secondStep(server, { ticket, code: codeNow() }))
  }
})

test('oathtool and the app of the tests show the same codes', { skip }, (t) => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  // The seconds of RFC 6238, appendix B.
  for (const seconds of [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000])
    t.equal(oathtoolCodeAt(secret, seconds * 1000), codeAt(secret, seconds * 1000), `${seconds} s`)
  t.equal(oathtoolCodeAt(secret, 59_000), '287082', 'RFC 6238, appendix B, the last six digits')
  t.end()
})
