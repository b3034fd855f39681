import { test, type Test } from 'tap'
import { OperatorError } from '../../../lib/operator-error.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startHostileProvider } from '../../helpers/peers/hostile-provider.js'
import { installed, refusal, type Content } from '../../helpers/service/installation.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { startServer } from '../../helpers/service/server.js'

const clientSecret = 'a-client-secret-that-nobody-may-read'
const redirectUris = ['https://console.example.com/social']
const oidc = {
  platform: 'corporate',
  kind: 'oidc',
  issuer: 'https://id.example.com',
  clientId: 'rollcall',
  clientSecret,
  redirectUris,
}
const github = { platform: 'github', kind: 'github', clientId: 'rollcall', clientSecret, redirectUris }

/** What is said about a provider with these settings by the schema. */
const faultsOf = (t: Test, content: object) => {
  const edit = (all: Content) => ({ ...all, federation: { ...(all['federation'] as object), ...content } })
  const error = refusal(t, { DATA_DIR: installed(t, edit) })
  t.notMatch(error.message, clientSecret)
  return error.faults.map(({ name, message }) => `${name} ${message}`)
}

test('a provider of the wrong shape stops the start, and the message names the setting', async (t) => {
  const where = 'federation.providers.0'
  const rows: [name: string, provider: object, fault: string][] = [
    ['a platform with `_`', { ...oidc, platform: 'a_b' }, `${where}.platform must be a name`],
    ['a platform with a space', { ...oidc, platform: 'a b' }, `${where}.platform must be a name`],
    ['a blank platform', { ...oidc, platform: '' }, `${where}.platform must be a name`],
    ['a platform with a slash', { ...oidc, platform: 'a/b' }, `${where}.platform must be a name`],
    ['a platform of 33 letters', { ...oidc, platform: 'a'.repeat(33) }, `${where}.platform must be a name`],
    ['no platform', { ...oidc, platform: undefined }, `${where}.platform is missing`],
    ['an unknown kind', { ...oidc, kind: 'saml' }, `${where}.kind must be one of oidc, github, gitee, wechat,`],
    ['no kind', { ...oidc, kind: undefined }, `${where}.kind is missing`],
    ['no client id', { ...oidc, clientId: undefined }, `${where}.clientId is missing`],
    ['a blank client id', { ...oidc, clientId: '' }, `${where}.clientId must have at least 1`],
    ['a blank secret', { ...oidc, clientSecret: '' }, `${where}.clientSecret must have at least 1`],
    ['an unknown key', { ...oidc, colour: clientSecret }, `${where}.colour is not a setting`],
    ['a tenant that is no id', { ...oidc, tenants: ['Second'] }, `${where}.tenants.0 must be an integer`],
    ['tenant 0', { ...oidc, tenants: [0] }, `${where}.tenants.0 must be at least 1`],
    ['enabled as text', { ...oidc, enabled: 'yes' }, `${where}.enabled must be true or false`],
    ['a provider that is text', 'github' as never, `${where} must be of type object`],
  ]
  for (const [name, provider, fault] of rows) {
    const faults = faultsOf(t, { providers: [provider] })
    t.ok(faults[0]?.startsWith(fault), `${name}: ${faults.join()}`)
    t.ok(
      faults.every((one) => one.startsWith(where)),
      'nothing else is complained about',
    )
  }
})

test('O5: a redirect address that could mean two things stops the start', async (t) => {
  const rows = [
    'https://console.example.com/social?tenant=1',
    'https://console.example.com/social?',
    'https://console.example.com/social#top',
    'https://console.example.com/social#',
    'https://console.example.com',
    'https://console.example.com:443/social',
    'https://CONSOLE.example.com/social',
    'https://console.example.com/a/../social',
    'https://console.example.com/a b',
    ' https://console.example.com/social',
    'https://console.example.com\\social',
    '//console.example.com/social',
    '/social',
    'console.example.com/social',
    'javascript:alert(1)',
    'https://*.example.com/social'.replace('*.', '*. '),
    '',
  ]
  for (const address of rows) {
    const faults = faultsOf(t, { providers: [{ ...oidc, redirectUris: [...redirectUris, address] }] })
    t.equal(faults.length, 1, address)
    t.match(faults[0], /^federation\.providers\.0\.redirectUris\.1 must be an address such as/, address)
  }
})

test('all faults of the shape are listed in one message', async (t) => {
  const faults = faultsOf(t, {
    timeout: 0,
    unknownIdentity: 'maybe',
    acceptUnboundBrowsers: 'yes',
    colour: 'red',
    providers: [
      { ...oidc, platform: 'a_b', kind: 'saml' },
      { ...github, clientId: '' },
    ],
  })
  const names = faults.map((fault) => fault.split(' ')[0]).sort()
  t.same(names, [
    'federation.acceptUnboundBrowsers',
    'federation.colour',
    'federation.providers.0.kind',
    'federation.providers.0.platform',
    'federation.providers.1.clientId',
    'federation.timeout',
    'federation.unknownIdentity',
  ])
})

test('a provider that lacks what its kind needs stops the start, all faults in one message', async (t) => {
  const kinds = ['github', 'gitee', 'wechat']
  const bare = (kind: string) => ({ platform: kind, kind, clientId: 'rollcall' })
  const providers = [
    bare('oidc'),
    ...kinds.map(bare),
    bare('wechatMiniProgram'),
    { ...oidc, platform: 'insecure', issuer: 'http://id.example.com' },
    { ...oidc, platform: 'nowhere', issuer: 'id.example.com' },
    { ...github, platform: 'enterprise', baseUrl: 'http://github.example.com' },
    { ...github, platform: 'enterprise', baseUrl: 'ftp://github.example.com' },
    // Disabled ones are checked too: they are enabled some day, far from the one who wrote them.
    { ...github, platform: 'later', enabled: false, clientSecret: null },
  ]
  const error: unknown = await startServer(t, { settings: { federation: { providers } } }).catch(
    (error: unknown) => error,
  )
  t.ok(error instanceof OperatorError, String(error))
  const { message } = error as Error
  t.same(message.split('\n').slice(1, -1), [
    '  federation.providers.0 (oidc): issuer is missing',
    '  federation.providers.0 (oidc): redirectUris is missing',
    ...kinds.flatMap((kind, index) => [
      `  federation.providers.${index + 1} (${kind}): clientSecret is missing`,
      `  federation.providers.${index + 1} (${kind}): redirectUris is missing`,
    ]),
    '  federation.providers.4 (wechatMiniProgram): clientSecret is missing',
    '  federation.providers.5 (insecure): issuer must be an https URL without user name and password',
    '  federation.providers.6 (nowhere): issuer must be an https URL without user name and password',
    '  federation.providers.7 (enterprise): baseUrl must be an https URL without user name and password',
    '  federation.providers.8 (enterprise): baseUrl must be an https URL without user name and password',
    '  federation.providers.8 (enterprise): another provider has the same platform',
    '  federation.providers.9 (later): clientSecret is missing',
  ])
  t.notMatch(message, clientSecret)
})

test('http issuers start only where http is allowed', async (t) => {
  const providers = [{ ...oidc, issuer: 'http://id.example.com' }]
  await t.rejects(startServer(t, { settings: { federation: { providers } } }), /issuer must be an https URL/)
  const server = await startServer(t, { settings: federation(providers) })
  t.equal(expectSuccess(t, await server.call('GET', '/social/platforms')).length, 1)
})

test('what is disabled, or has no page, is not offered and not accepted', async (t) => {
  const twin = await startHostileProvider(t)
  const mini = { platform: 'mini', kind: 'wechatMiniProgram', clientId: 'rollcall', clientSecret }
  const providers = [{ ...twin.settings, enabled: false }, { ...github, logo: 'https://example.com/github.png' }, mini]
  const server = await startServer(t, { settings: federation(providers) })
  const platforms = expectSuccess(t, await server.call('GET', '/social/platforms'))
  const offered = {
    platform: 'github',
    platformName: 'GitHub',
    platformLogo: 'https://example.com/github.png',
    enabled: true,
  }
  t.same(platforms, [offered])
  t.same(expectSuccess(t, await server.call('GET', '/auth/loginConfig')).socialPlatforms, [offered])
  for (const platform of ['corporate', 'mini', 'GitHub', 'gitee', 'constructor', '__proto__', 'a'.repeat(32)]) {
    expectProblem(t, await server.call('GET', `/social/authUrl/${platform}`), 'invalid_request', ['platform'])
    const json = { platform, code: 'code', state: `${platform}_state` }
    expectProblem(t, await server.call('POST', '/social/callback', { json }), 'invalid_grant')
  }
  t.same(twin.received, [])
})

test('without a provider there is no sign-in by one', async (t) => {
  const twin = await startHostileProvider(t)
  for (const providers of [[], [{ ...twin.settings, enabled: false }]]) {
    const server = await startServer(t, { settings: federation(providers) })
    for (const authType of ['oauth2', 'social']) {
      const json = { authType, socialTicket: '0'.repeat(64), authCode: 'code', state: 'state' }
      expectProblem(t, await server.call('POST', '/auth/login', { json }), 'unsupported_auth_type')
    }
    const { authTypes, socialPlatforms } = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
    t.notOk(authTypes.includes('oauth2') || authTypes.includes('social'))
    t.same(socialPlatforms, [])
    t.same(expectSuccess(t, await server.call('GET', '/social/platforms')), [])
    expectProblem(t, await server.call('GET', '/social/authUrl/corporate'), 'invalid_request', ['platform'])
    const json = { platform: 'corporate', code: 'code', state: 'corporate_state' }
    expectProblem(t, await server.call('POST', '/social/callback', { json }), 'invalid_grant')
    const { accessToken: token } = await server.signIn()
    const link = { token, json: { socialTicket: '0'.repeat(64) } }
    expectProblem(t, await server.call('POST', '/social/bind', link), 'invalid_grant')
    t.same(expectSuccess(t, await server.call('GET', '/social/bind', { token })), [])
  }
})
