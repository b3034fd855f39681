import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startWithReports, told } from '../../helpers/service/resource-server.js'

test('other services are told by what a session was proved, and a refresh changes nothing of it', async (t) => {
  const { server, ask } = await startWithReports(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const proofOf = async (token: string) => {
    const { acr, amr, auth_time } = told(await ask(token))
    return { acr, amr: [...(amr as string[])].sort(), auth_time }
  }
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const signedIn = await secondStep(server, { ticket, code: app.nextCode(), trustDevice: true })
  const { accessToken } = expectSuccess(t, signedIn)
  const twice = { acr: 'aal2', amr: ['mfa', 'otp', 'pwd'], auth_time: server.clock.now() / 1000 }
  t.strictSame(await proofOf(accessToken), twice)
  server.clock.advance(60)
  const headers = { cookie: cookiesOf(signedIn) }
  const refreshed = await server.call('POST', '/auth/refreshToken', { token: accessToken, headers })
  t.strictSame(await proofOf(expectSuccess(t, refreshed).accessToken), twice)
  const trusted = expectSuccess(t, await firstStep(server, 'alice', { headers }))
  t.strictSame(await proofOf(trusted.accessToken), { acr: 'aal1', amr: ['pwd'], auth_time: server.clock.now() / 1000 })
})
