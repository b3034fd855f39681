import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep, signInTwice } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const start = async (t: Test, settings: object = {}) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' }, ...settings } })
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const token = await signInTwice(t, server, 'alice', app)
  const stepUp = (json: object, as = token) => server.call('POST', '/auth/stepUp', { token: as, json })
  const begin = (as = token, json: object = {}) => server.call('POST', '/auth/factors/totp', { token: as, json })
  return { server, app, token, stepUp, begin }
}

test('the first factor needs a fresh sign-in or the password', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  server.clock.advance(601)
  const begin = (json: object) => server.call('POST', '/auth/factors/totp', { token, json })
  expectProblem(t, await begin({}), 'fresh_sign_in_required')
  expectProblem(t, await begin({ password: 'wrong horse battery' }), 'invalid_credentials')
  expectSuccess(t, await begin({ password: userPassword }))
  const json = { authType: 'password', password: userPassword }
  const proved = expectSuccess(t, await server.call('POST', '/auth/stepUp', { token, json }))
  t.match(proved, { acr: 'aal1', amr: ['pwd'], authTime: new Date(server.clock.now()).toISOString() })
  expectSuccess(t, await begin({}))
})

test('a further change needs a factor of the last ten minutes, which a password is not (ASVS 7.5.1)', async (t) => {
  const { server, app, stepUp, begin } = await start(t)
  expectSuccess(t, await begin())
  server.clock.advance(601)
  const refused = await begin()
  expectProblem(t, refused, 'step_up_required')
  t.strictSame(refused.body.data, {
    reason: 'step_up_required',
    acr: 'aal2',
    maxAge: 600,
    methods: ['totp', 'recovery'],
  })
  t.match(
    refused.headers.get('www-authenticate'),
    /^Bearer .*error="insufficient_user_authentication".*acr_values="aal2", max_age="600"$/,
  )
  expectProblem(t, await begin(undefined, { password: userPassword }), 'step_up_required')
  expectSuccess(t, await stepUp({ authType: 'password', password: userPassword }))
  expectProblem(t, await begin(), 'step_up_required')
  expectProblem(t, await stepUp({ authType: 'totp', code: '000000' }), 'invalid_code')
  const proved = expectSuccess(t, await stepUp({ authType: 'totp', code: app.nextCode() }))
  t.equal(proved.acr, 'aal2')
  t.strictSame([...proved.amr].sort(), ['mfa', 'otp', 'pwd'])
  expectSuccess(t, await begin())
  server.clock.advance(601)
  expectSuccess(t, await stepUp({ authType: 'recovery', code: app.recoveryCodes[0] ?? '' }))
  expectSuccess(t, await begin())
})

test('changes of contacts and identities need it, too, and a refresh changes nothing (ASVS 7.5.1)', async (t) => {
  const { server, token, app } = await start(t)
  server.clock.advance(601)
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  const as = { token: refreshed.accessToken }
  const json = { email: 'alice@example.com', emailCode: '123456' }
  expectProblem(t, await server.call('PATCH', '/auth/profile', { ...as, json }), 'step_up_required')
  expectProblem(
    t,
    await server.call('POST', '/social/bind', { ...as, json: { socialTicket: 'x', password: userPassword } }),
    'step_up_required',
  )
  expectSuccess(t, await server.call('PATCH', '/auth/profile', { ...as, json: { realName: 'Alice' } }))
  for (const [method, path, body] of [
    ['PATCH', `/auth/factors/${app.id}`, { name: 'New' }],
    ['DELETE', `/auth/factors/${app.id}`, undefined],
    ['POST', '/auth/factors/recovery-codes', undefined],
  ] as const)
    expectProblem(t, await server.call(method, path, { ...as, ...(body && { json: body }) }), 'step_up_required')
})

test('requests to step up name what is missing, and count wrong codes', async (t) => {
  const { server, stepUp, app } = await start(t)
  expectProblem(t, await stepUp({}), 'invalid_request', ['authType'])
  expectProblem(t, await stepUp({ authType: 'totp' }), 'invalid_request', ['code'])
  expectProblem(t, await stepUp({ authType: 'password' }), 'invalid_request', ['password'])
  for (const authType of ['phone_captcha', 'social', 'badge'])
    expectProblem(t, await stepUp({ authType, code: '1' }), 'unsupported_auth_type')
  for (let tries = 0; tries < 10; tries++)
    expectProblem(t, await stepUp({ authType: 'totp', code: '000000' }), 'invalid_code')
  expectProblem(t, await stepUp({ authType: 'totp', code: app.nextCode() }), 'too_many_attempts')
  t.ok(server)
})

test('a trusted device answers no step-up: its session is aal1', async (t) => {
  const { server, app, begin } = await start(t)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const trusted = await secondStep(server, { ticket, code: app.nextCode(), trustDevice: true })
  const { accessToken } = expectSuccess(
    t,
    await firstStep(server, 'alice', { headers: { cookie: cookiesOf(trusted) } }),
  )
  expectProblem(t, await begin(accessToken), 'step_up_required')
})

test('administration may ask for two factors (ASVS 7.5.3)', async (t) => {
  const server = await startServer(t, { settings: { secondFactor: { administration: 'aal2' } } })
  const { accessToken: token } = await server.signIn()
  const page = (as: string) => server.call('GET', '/system/user/page', { token: as })
  const refused = await page(token)
  expectProblem(t, refused, 'step_up_required')
  t.strictSame(refused.body.data.methods, [])
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  await enrol(t, server, token)
  expectSuccess(t, await page(token))
})
