import { test } from 'tap'
import { createClient, RollcallError } from '../../../client/index.js'
import { enrol } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const refusalOf = async (work: Promise<unknown>): Promise<RollcallError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof RollcallError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('the client finishes a sign-in with the refusal of the first step, and steps up', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const client = createClient({ baseUrl: server.origin })
  const refusal = await refusalOf(client.signIn({ username: 'alice', password: userPassword }))
  t.equal(refusal.reason, 'second_factor_required')
  t.strictSame(refusal.data['methods'], ['totp', 'recovery'])
  t.equal(await client.token(), undefined)
  const wrong = await refusalOf(client.finishSignIn(refusal, { authType: 'totp', code: '000000' }))
  t.equal(wrong.reason, 'invalid_code')
  const result = await client.finishSignIn(refusal, { authType: 'totp', code: app.nextCode() })
  t.equal(result.userInfo.username, 'alice')
  t.equal(await client.token(), result.accessToken)
  server.clock.advance(601)
  const late = await refusalOf(client.call('POST /auth/factors/recovery-codes'))
  t.equal(late.reason, 'step_up_required')
  t.equal((await client.stepUp({ authType: 'totp', code: app.nextCode() })).acr, 'aal2')
  t.equal((await client.call('POST /auth/factors/recovery-codes')).recoveryCodes.length, 10)
})
