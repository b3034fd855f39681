import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { test } from 'tap'
import { eventually } from '../../../test/helpers/processes/process.js'
import { startProvider } from './start-provider.js'

test('ID tokens go on while keys change, each by the key that signs at that moment', async (t) => {
  const { server, issuer, addClient, connect, openBrowser, enter } = await startProvider(t)
  const { secret } = await addClient()
  const { secret: other } = await addClient({ id: 'es', name: 'ES', idTokenAlgorithm: 'ES256' })
  const [rs, es] = [await connect('grafana', secret), await connect('es', other)]
  const browser = openBrowser()
  await browser.signIn()
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { cooldownDuration: 0 })
  const tokenFor = async (configuration: typeof rs, audience: string): Promise<{ kid: string; alg: string }> => {
    const { id_token: token = '' } = await enter(configuration, browser)
    await jwtVerify(token, keys, { issuer, audience })
    const { kid = '', alg = '' } = decodeProtectedHeader(token)
    return { kid, alg }
  }
  const before = [await tokenFor(rs, 'grafana'), await tokenFor(es, 'es')]
  t.same(
    before.map(({ alg }) => alg),
    ['RS256', 'ES256'],
  )
  const made = await server.app.tokens.rotation.rotate(600_000)
  t.same(await tokenFor(rs, 'grafana'), before[0], 'a new key is published before it signs')
  await eventually('the keys to be seen', async () => {
    const { body } = await server.call('GET', '/.well-known/jwks.json')
    return (body as unknown as { keys: object[] }).keys.length === 4 ? true : undefined
  })
  server.clock.advance(601)
  t.equal((await tokenFor(rs, 'grafana')).kid, made[1]?.kid)
  t.equal((await tokenFor(es, 'es')).kid, made[0]?.kid)
  const { kid = '' } = made[1] ?? {}
  await server.app.tokens.rotation.revoke(kid)
  await eventually('the revoked key to go', async () =>
    (await tokenFor(rs, 'grafana').catch(() => ({ kid }))).kid === kid ? undefined : true,
  )
})

test('the documents of the provider can be read by every page, and its answers by pages of its public applications', async (t) => {
  const { server, issuer, addClient } = await startProvider(t, {
    environment: { CORS_ORIGINS: 'https://console.example.com' },
  })
  await addClient()
  await addClient({ id: 'spa', name: 'Page', type: 'public', redirectUris: ['https://spa.example.com/back'] })
  const from = (origin: string, path: string, more: RequestInit = {}) =>
    fetch(`${issuer}${path}`, { ...more, headers: { origin, ...(more.headers as object) } })
  const paths = [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/jwks.json',
  ]
  for (const path of paths) {
    const answer = await from('https://spa.example.com', path)
    t.equal(answer.headers.get('access-control-allow-origin'), '*', path)
    t.match(
      await answer.json(),
      path.endsWith('jwks.json') ? { keys: [] } : { issuer, token_endpoint: `${issuer}/oidc/token` },
    )
    const listed = await from('https://console.example.com', path)
    t.equal(listed.headers.get('access-control-allow-origin'), 'https://console.example.com')
  }
  const form = (id: string) => ({
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: id,
      code: 'x',
      redirect_uri: 'https://spa.example.com/back',
      code_verifier: 'x'.repeat(43),
    }),
  })
  const own = await from('https://spa.example.com', '/oidc/token', form('spa'))
  t.equal(own.headers.get('access-control-allow-origin'), 'https://spa.example.com')
  t.equal(own.headers.get('access-control-allow-credentials'), null)
  t.match(await own.json(), { error: 'invalid_grant' })
  for (const [origin, id] of [
    ['https://evil.example', 'spa'],
    ['https://spa.example.com', 'grafana'],
    ['https://console.example.com', 'grafana'],
  ] as const) {
    const other = await from(origin, '/oidc/token', form(id))
    t.equal(other.headers.get('access-control-allow-origin'), null, `${origin} ${id}`)
    t.equal(other.status, 400)
  }
  const preflight = await from('https://spa.example.com', '/oidc/userinfo', {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-origin'), 'https://spa.example.com')
  t.equal(server.app.installation.settings.provider.enabled, true)
})
