import { test } from 'tap'
import { builtInAuthTypes } from '../../helpers/documents/document.js'
import { fingerprint } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { pageOrigin } from '../../helpers/service/passkeys.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const untouched = {
  enableCaptcha: true,
  captchaType: 'graphical',
  authTypes: ['password', 'password_captcha', 'passkey'],
  userClient: 'pc',
  tenantId: 1,
  tenantName: 'Default',
  secondFactors: ['passkey', 'totp', 'recovery'],
  socialPlatforms: [],
  passwordPolicy: { minLength: 8, maxLength: 128 },
  systemName: null,
  systemLogo: null,
  browserTitle: null,
  copyrightInfo: null,
  color: '#14616f',
  helpUrl: null,
  registration: 'closed',
  resetChannels: [],
  contactChannels: [],
  publicUrl: null,
  phoneNumbers: { region: 'CN', national: '131 2345 6789', international: '+44 7400 123456' },
}

test('loginConfig tells a sign-in page exactly what it needs', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('GET', '/auth/loginConfig')
  t.strictSame(expectSuccess(t, answer), {
    ...untouched,
    passkeys: { rpId: 'localhost', address: pageOrigin(server) },
  })
  t.notMatch(answer.text, /secret|database|lockout|rateLimit/i)
})

test('enableCaptcha is false only when a captcha is never asked for', async (t) => {
  const rows: [mode: string, enableCaptcha: boolean][] = [
    ['always', true],
    ['afterFailures', true],
    ['never', false],
  ]
  for (const [mode, enableCaptcha] of rows) {
    await t.test(mode, async (t) => {
      const server = await startServer(t, { settings: { captcha: { mode } } })
      t.equal(expectSuccess(t, await server.call('GET', '/auth/loginConfig')).enableCaptcha, enableCaptcha)
    })
  }
})

test('it echoes the client kind and names the tenant', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other & Sons')
  const rows: [query: string, expected: object][] = [
    ['', {}],
    ['userClient=&tenantId=', {}],
    ['userClient=pc', {}],
    ['userClient=app', { userClient: 'app' }],
    ['userClient=h5&tenantId=1', { userClient: 'h5' }],
    ['userClient=wechat', { userClient: 'wechat' }],
    [`tenantId=${other.id}`, { tenantId: other.id, tenantName: 'Other & Sons' }],
    ['unknown=1', {}],
  ]
  for (const [query, expected] of rows) {
    await t.test(`?${query}`, async (t) => {
      const answer = await server.call('GET', '/auth/loginConfig', { query })
      const passkeys = { rpId: 'localhost', address: pageOrigin(server) }
      t.strictSame(expectSuccess(t, answer), { ...untouched, passkeys, ...expected })
    })
  }
})

test('what is no client kind or no tenant is refused by name', async (t) => {
  const server = await startServer(t)
  const rows: [query: string, fields: string[]][] = [
    ['userClient=tv', ['userClient']],
    ['userClient=pc&userClient=app', ['userClient']],
    ['tenantId=abc', ['tenantId']],
    ['tenantId=0', ['tenantId']],
    ['tenantId=1.5', ['tenantId']],
    ['tenantId=1&tenantId=1', ['tenantId']],
    ['tenantId=999', ['tenantId']],
  ]
  for (const [query, fields] of rows) {
    await t.test(`?${query}`, async (t) => {
      expectProblem(t, await server.call('GET', '/auth/loginConfig', { query }), 'invalid_request', fields)
    })
  }
})

test('a disabled tenant looks like one that does not exist', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  const { db } = server.app
  const closed = await operator.addTenant('Closed')
  await db.tenants.setEnabled(closed.id, false, server.clock.now())
  const [disabled, unknown] = [
    await server.call('GET', '/auth/loginConfig', { query: { tenantId: closed.id } }),
    await server.call('GET', '/auth/loginConfig', { query: { tenantId: 999 } }),
  ]
  expectProblem(t, disabled, 'invalid_request', ['tenantId'])
  t.strictSame(fingerprint(disabled), fingerprint(unknown))
  t.notMatch(disabled.text, 'Closed')
})

test('look and policy follow the configuration', async (t) => {
  const branding = { systemName: '统一认证', systemLogo: '/logo.png', browserTitle: 'Sign in', copyrightInfo: '© Us' }
  const server = await startServer(t, { settings: { branding, passwords: { minLength: 12 } } })
  const data = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  const passkeys = { rpId: 'localhost', address: pageOrigin(server) }
  t.strictSame(data, { ...untouched, passkeys, ...branding, passwordPolicy: { minLength: 12, maxLength: 128 } })
})

test('color, help, registration and the ways to reset a password follow the configuration and the tenant', async (t) => {
  const branding = { color: '#7a1f3d', helpUrl: 'https://help.example.com/sign-in?from=rollcall' }
  const mail = { url: 'smtp://127.0.0.1:1', from: 'rollcall@example.com' }
  const settings = { branding, mail, sms: { sender: 'log' }, registration: { mode: 'open' } }
  const server = await startServer(t, { settings })
  const other = await server.operator.addTenant('Other')
  await server.app.db.disabledMethods.add(other.id, ['email_captcha'])
  const ask = async (query: string) => {
    const data = expectSuccess(t, await server.call('GET', '/auth/loginConfig', { query }))
    const { color, helpUrl, registration, resetChannels, contactChannels } = data
    return { color, helpUrl, registration, resetChannels, contactChannels }
  }
  const same = { ...branding, contactChannels: ['phone', 'email'] }
  t.strictSame(await ask(''), { ...same, registration: 'open', resetChannels: ['phone', 'email'] })
  t.strictSame(await ask(`tenantId=${other.id}`), { ...same, registration: 'closed', resetChannels: ['phone'] })
})

test('registration is told to be open only where its code can be sent', async (t) => {
  const mail = { url: 'smtp://127.0.0.1:1', from: 'rollcall@example.com' }
  const sms = { sender: 'log' }
  const domains = ['example.com']
  const rows: [channels: object, emailDomains: string[], told: string][] = [
    [{}, [], 'closed'],
    [{ mail }, [], 'open'],
    [{ sms }, [], 'open'],
    [{ sms }, domains, 'closed'],
    [{ sms, mail }, domains, 'open'],
  ]
  for (const [channels, emailDomains, told] of rows) {
    const server = await startServer(t, { settings: { ...channels, registration: { mode: 'open', emailDomains } } })
    const { registration } = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
    t.equal(registration, told, `${Object.keys(channels).join()} ${emailDomains.join()}`)
    const recipient = emailDomains.length > 0 || 'mail' in channels ? 'new@example.com' : '13800138000'
    const { status } = await server.call('POST', '/auth/register/code', { json: { recipient } })
    t.equal(status === 200, told === 'open', 'as the request for the code')
  }
})

test('a method that another plugin adds is offered, documented and signs in', async (t) => {
  const server = await startServer(t, {
    extend: (app) => {
      app.login.register({
        name: 'badge',
        meaning: 'badge',
        summary: 'Sign-in by badge',
        needs: ['authCode'],
        captcha: 'none',
        subject: ({ authCode = '' }) => authCode,
        async verify({ authCode = '' }, { tenantId }) {
          const user = await app.db.users.findByUsername(tenantId, authCode)
          if (!user) throw new Error('no such badge')
          return user
        },
      })
    },
  })
  const data = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  t.strictSame(data.authTypes, ['password', 'password_captcha', 'passkey', 'badge'])
  const document: any = server.app.swagger()
  t.strictSame(document.components.schemas.AuthType.enum, [...builtInAuthTypes, 'badge'])
  const missing = await server.call('POST', '/auth/login', { json: { authType: 'badge', password: adminPassword } })
  expectProblem(t, missing, 'invalid_request', ['authCode'])
  const signedIn = await server.call('POST', '/auth/login', { json: { authType: 'badge', authCode: 'admin' } })
  t.equal(expectSuccess(t, signedIn).userInfo.username, 'admin')
})
