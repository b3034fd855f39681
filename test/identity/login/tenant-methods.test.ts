import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { problem } from '../../../lib/problem.js'
import { createCli, expectRefusal } from '../../helpers/processes/cli.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startPeer } from '../../helpers/peers/http-peer.js'
import { bodyOf, startMailServer } from '../../helpers/peers/mail-server.js'
import { startProcess } from '../../helpers/processes/process.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const phone = '13800138000'
const email = 'alice@example.com'

/** A method of somebody else's plugin. */
const badge = fp(async (app: FastifyInstance) => {
  app.login.register({
    name: 'badge',
    meaning: 'badge',
    summary: 'Sign-in by badge',
    needs: ['username', 'authCode'],
    captcha: 'none',
    subject: ({ username = '' }) => username,
    async verify({ username = '', authCode }, { tenantId }) {
      const user = await app.db.users.findByUsername(tenantId, username)
      if (!user || authCode !== 'badge 4711') throw problem('invalid_grant')
      return user
    },
  })
})

/** A server with every kind of method and the user alice in two tenants. */
const start = async (t: Test) => {
  const gateway = await startPeer(t, () => ({ status: 200 }))
  const mailServer = await startMailServer(t)
  const server = await startServer(t, {
    environment: { SMTP_URL: mailServer.url },
    settings: { sms: { sender: 'webhook', webhook: { url: gateway.url, secret: 'shared with the gateway' } } },
    extend: (app) => void app.register(badge),
  })
  const { id: other } = await server.operator.addTenant('Other')
  for (const tenantId of [1, other]) await server.addUser('alice', { tenantId, phone, email })
  const login = (tenantId: number, json: object) => server.call('POST', '/auth/login', { json: { tenantId, ...json } })
  const authTypes = async (tenantId: number): Promise<string[]> =>
    expectSuccess(t, await server.call('GET', '/auth/loginConfig', { query: { tenantId } })).authTypes
  return { server, gateway, mailServer, other, login, authTypes }
}

const all = ['password', 'password_captcha', 'phone_captcha', 'email_captcha', 'passkey', 'badge']
const credentials: Record<string, object> = {
  password: { username: 'alice', password: userPassword },
  password_captcha: { authType: 'password_captcha', username: 'alice', password: userPassword },
  phone_captcha: { authType: 'phone_captcha', phone, code: '123456' },
  email_captcha: { authType: 'email_captcha', email, code: '123456' },
  passkey: { authType: 'passkey', credential: {} },
  badge: { authType: 'badge', username: 'alice', authCode: 'badge 4711' },
}

for (const authType of all) {
  test(`${authType} disabled for a tenant is neither shown nor served there, and elsewhere as before`, async (t) => {
    const { server, other, login, authTypes } = await start(t)
    await server.app.login.ofTenant.change(operatorActor(), other, { disable: [authType], enable: [] })
    t.same(
      await authTypes(other),
      all.filter((name) => name !== authType),
    )
    t.same(await authTypes(1), all)
    for (const [name, json] of Object.entries(credentials)) {
      const { reason = 'signed in' } = (await login(other, json)).body.data
      t.equal(reason === 'unsupported_auth_type', name === authType, `${name}: ${reason}`)
      t.not((await login(1, json)).body.data.reason, 'unsupported_auth_type')
    }
    expectProblem(t, await login(other, { authType }), 'unsupported_auth_type')
    await server.app.login.ofTenant.change(operatorActor(), other, { disable: [], enable: [authType] })
    t.same(await authTypes(other), all)
    t.not((await login(other, credentials[authType] ?? {})).body.data.reason, 'unsupported_auth_type')
  })
}

for (const [channel, authType, recipient] of [
  ['sms', 'phone_captcha', { phone }],
  ['email', 'email_captcha', { email }],
] as const) {
  test(`no code for ${authType} is sent where it is disabled, and one sent before opens nothing`, async (t) => {
    const { server, gateway, mailServer, other, login } = await start(t)
    const requestCode = (tenantId: number) =>
      server.call('POST', `/auth/captcha/${channel}`, { json: { ...recipient, tenantId } })
    expectSuccess(t, await requestCode(other))
    const text =
      channel === 'sms' ? (await gateway.waitFor(1))[0]?.body : bodyOf((await mailServer.waitFor(1))[0]?.raw ?? '')
    const code = /\b\d{6}\b/.exec(text ?? '')?.[0]
    await server.app.login.ofTenant.change(operatorActor(), other, { disable: [authType], enable: [] })
    server.clock.advance(61)
    expectProblem(t, await requestCode(other), 'unsupported_auth_type')
    expectProblem(t, await login(other, { authType, ...recipient, code }), 'unsupported_auth_type')
    expectSuccess(t, await requestCode(1))
    await server.app.close()
    t.equal(gateway.received.length + mailServer.mails.length, 2)
  })
}

test('L9: rollcall tenant methods lists, disables and enables, and a running server follows at once', async (t) => {
  const cli = await createCli(t)
  const { directory, done, json } = cli
  const server = await startProcess(t, { directory })
  const { id } = await json('tenant add Acme')
  await done('user add --username alice --tenant acme --no-force-change --password-stdin', { input: userPassword })
  const signIn = async () => (await server.signIn('alice', userPassword, { tenantId: id })).body.data.reason
  t.equal(await signIn(), undefined)
  t.equal(await done('tenant methods Acme'), 'password\npassword_captcha\npasskey\n')
  t.equal(await done('tenant methods Acme --disable password'), 'password\tdisabled\npassword_captcha\npasskey\n')
  t.equal(await signIn(), 'unsupported_auth_type')
  t.equal((await server.call('GET', `/auth/loginConfig?tenantId=${id}`)).body.data.authTypes[0], 'password_captcha')
  t.same((await server.call('GET', '/auth/loginConfig')).body.data.authTypes, [
    'password',
    'password_captcha',
    'passkey',
  ])
  t.same(await json(`tenant methods ${id} --enable password --disable password_captcha`), {
    id,
    name: 'Acme',
    methods: [
      { authType: 'password', enabled: true },
      { authType: 'password_captcha', enabled: false },
      { authType: 'passkey', enabled: true },
    ],
  })
  t.equal(await signIn(), undefined)
})

test('what is not a method, the last method, and an unknown tenant are refused, and nothing changes', async (t) => {
  const { run, content } = await createCli(t)
  const before = content()
  for (const [line, message] of [
    ['tenant methods 1 --disable passwrd', 'disable "passwrd" must be one of password, password_captcha, passkey'],
    ['tenant methods 1 --enable oauth', 'enable "oauth" must be one of password, password_captcha, passkey'],
    ['tenant methods 1 --disable password password_captcha passkey', 'disable would disable the last sign-in method'],
    ['tenant methods Nowhere', 'tenant "Nowhere" is not a known tenant'],
  ] as const) {
    expectRefusal(t, await run(line), 1, `error: ${message}\n`)
  }
  t.same(content(), before)
})
