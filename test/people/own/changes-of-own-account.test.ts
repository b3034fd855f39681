import { test, type Test } from 'tap'
import { startLinking } from '../../helpers/peers/linking.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startWithRoutes } from '../../helpers/service/routes.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

/**
 * What each request asks for by which somebody changes the own account. `proof`: a second factor of the last ten minutes where the account
 * has one, otherwise the password or a fresh sign-in. `password`: the same factor, and the password besides.
 */
type Asked = 'proof' | 'password' | { nothing: string }
const asked: Record<string, Asked> = {
  'POST /auth/changePassword': 'password',
  'PATCH /auth/profile': 'proof',
  'POST /auth/profile/code': { nothing: 'sends a code to a contact, which is taken over by PATCH /auth/profile' },
  'POST /auth/stepUp': { nothing: 'is the proof' },
  'POST /auth/factors/totp': 'proof',
  'POST /auth/factors/totp/confirm': { nothing: 'ends what was begun with a proof' },
  'POST /auth/factors/passkey/options': 'proof',
  'POST /auth/factors/passkey': { nothing: 'ends what was begun with a proof' },
  'POST /auth/factors/setup-code': { nothing: 'sends a code to the owner' },
  'POST /auth/factors/recovery-codes': 'proof',
  'PATCH /auth/factors/:id': 'proof',
  'DELETE /auth/factors/:id': 'proof',
  'POST /social/bind': 'proof',
  'DELETE /social/bind/:id': 'proof',
  'DELETE /auth/sessions': { nothing: 'takes access away, and gives nobody any' },
  'DELETE /auth/sessions/:id': { nothing: 'takes access away, and gives nobody any' },
  'DELETE /auth/trusted-devices': { nothing: 'asks for more from then on' },
  'DELETE /auth/trusted-devices/:id': { nothing: 'asks for more from then on' },
  'POST /auth/pageSession': { nothing: 'tells, and changes nothing' },
  'POST /auth/tokens': 'proof',
  'DELETE /auth/grants/:id': { nothing: 'takes access away, and gives nobody any' },
  'DELETE /auth/tokens/:id': { nothing: 'takes access away, and gives nobody any' },
  'POST /system/user/updateProfile': { nothing: 'changes no contact' },
  'DELETE /social/unbind/:platform': 'proof',
  'POST /system/tenant/userTenantConfig': { nothing: 'stores nothing' },
  'POST /api/file/upload': { nothing: 'stores no account: the picture comes back as text' },
}

test('every request that changes the own account is in the table of what it asks for', async (t) => {
  const { routes } = await startWithRoutes(t)
  const own = routes.filter(({ access, method }) => access === 'session' && method !== 'GET')
  const named = own.map(({ method, path }) => `${method} ${path.replace(/(?<=.)\/$/, '')}`).sort()
  t.strictSame(
    named.filter((name) => !(name in asked)),
    [],
    'each has a row',
  )
})

const start = async (t: Test) => {
  const linking = await startLinking(t)
  const { server } = linking
  const token = await linking.join('alice')
  const { id } = expectSuccess(t, await linking.linkIdentity(token))
  return { ...linking, server, token, id }
}

/** A request of each kind that would change something. */
const bodies = (id: number, factorId = 'x'): [string, string, object | undefined][] => [
  ['POST', '/auth/changePassword', { oldPassword: userPassword, newPassword: 'violet umbrella stand' }],
  ['PATCH', '/auth/profile', { email: 'new@example.com', emailCode: '123456' }],
  ['POST', '/auth/factors/totp', {}],
  ['POST', '/auth/factors/passkey/options', {}],
  ['POST', '/auth/factors/recovery-codes', undefined],
  ['PATCH', `/auth/factors/${factorId}`, { name: 'Mine' }],
  ['DELETE', `/auth/factors/${factorId}`, undefined],
  ['POST', '/social/bind', { socialTicket: '0'.repeat(64) }],
  ['DELETE', `/social/bind/${id}`, undefined],
  ['DELETE', '/social/unbind/corporate', undefined],
  ['POST', '/auth/tokens', { name: 'nightly' }],
]

test('a token of an account with a factor changes nothing of it while no factor was proved lately', async (t) => {
  const { server, token, id, list } = await start(t)
  const app = await enrol(t, server, token)
  server.clock.advance(601)
  const { db } = server.app
  const before = await db.users.find(2)
  for (const [method, path, json] of bodies(id, app.id)) {
    const answer = await server.call(method, path, { token, ...(json === undefined ? {} : { json }) })
    expectProblem(t, answer, 'step_up_required')
  }
  t.strictSame(await db.users.find(2), before)
  t.equal((await list(token)).length, 1)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const { accessToken: proved } = expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  expectSuccess(t, await server.call('DELETE', `/social/bind/${id}`, { token: proved }))
})

test('an old session of an account without a factor does not unlink an identity before the password is proved', async (t) => {
  const { server, token, id, list } = await start(t)
  server.clock.advance(601)
  for (const path of [`/social/bind/${id}`, '/social/unbind/corporate'])
    expectProblem(t, await server.call('DELETE', path, { token }), 'fresh_sign_in_required')
  t.equal((await list(token)).length, 1)
  const json = { authType: 'password', password: userPassword }
  expectSuccess(t, await server.call('POST', '/auth/stepUp', { token, json }))
  expectSuccess(t, await server.call('DELETE', `/social/bind/${id}`, { token }))
  t.strictSame(await list(token), [])
})

test('the old password is checked and counted also where a factor was proved, and a right one is not enough without it', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  await enrol(t, server, token)
  const change = (oldPassword?: string) =>
    server.call('POST', '/auth/changePassword', { token, json: { oldPassword, newPassword: 'violet umbrella stand' } })
  expectProblem(t, await change('anything at all'), 'invalid_credentials')
  expectProblem(t, await change(undefined), 'invalid_request', ['oldPassword'])
  for (let tries = 0; tries < 7; tries++) await change(`wrong ${tries}`)
  expectProblem(t, await change(userPassword), 'too_many_attempts')
  server.clock.advance(601)
  expectProblem(t, await change(userPassword), 'step_up_required')
  const again = await firstStep(server, 'alice')
  expectProblem(t, again, 'second_factor_required')
})
