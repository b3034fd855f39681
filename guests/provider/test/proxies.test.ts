import { createHash, randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import { askSecurely, type SecureAnswer } from '../../../test/helpers/processes/deployed.js'
import { freePort } from '../../../test/helpers/processes/free-port.js'
import { temporary } from '../../../test/helpers/processes/package.js'
import { eventually } from '../../../test/helpers/processes/process.js'
import { proxies, strippingProxies } from '../../../test/helpers/processes/proxies.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { redirectUri, startProvider } from './start-provider.js'

type Ask = (
  path: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<{
  status: number
  location: string
  cookies: string[]
  body: any
}>

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** A whole sign-in by an application, whose requests and those of the browser go through a proxy; all addresses are those of the issuer. */
const signInThrough = async (t: Test, issuer: string, ask: Ask, secret: string): Promise<void> => {
  const { body: metadata } = await ask('/.well-known/openid-configuration')
  t.equal(metadata.issuer, issuer)
  for (const name of Object.keys(metadata as object).filter((one) => one.endsWith('_endpoint') || one === 'jwks_uri'))
    t.ok((metadata[name] as string).startsWith(`${issuer}/`), name)
  const pathOf = (address: string): string => {
    t.ok(address.startsWith(`${issuer}/`), address)
    return address.slice(issuer.length)
  }
  const isEncrypted = issuer.startsWith('https:')
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    ...{ client_id: 'grafana', redirect_uri: redirectUri, response_type: 'code', scope: 'openid profile', state: 's' },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  })
  const hostile = { 'x-forwarded-host': 'evil.example.net', forwarded: 'host=evil.example.net;proto=http' }
  const begun = await ask(`/oidc/authorize?${query.toString()}`, { headers: hostile })
  t.equal(begun.status, 303)
  for (const cookie of begun.cookies) {
    t.match(cookie, new RegExp(`; path=${new URL(issuer).pathname.replace(/\/$/, '')}/oidc/`, 'i'))
    t.equal(/; secure/i.test(cookie), isEncrypted, cookie)
  }
  const interaction = await ask(pathOf(begun.location), {
    headers: { cookie: begun.cookies.map((line) => line.split(';')[0]).join('; ') },
  })
  t.match(pathOf(interaction.location), /^\/sign-in\?interaction=/)

  const login = await ask('/auth/login', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' } },
    body: JSON.stringify({ username: 'alice', password: userPassword, cookie: true }),
  })
  t.equal(login.status, 200)
  const all = [...begun.cookies, ...login.cookies].map((line) => line.split(';')[0]).join('; ')
  const enough = await ask(pathOf(begun.location), { headers: { cookie: all } })
  const resumed = await ask(pathOf(enough.location), { headers: { cookie: all } })
  const back = new URL(resumed.location)
  t.match(resumed.location, redirectUri)
  t.match(Object.fromEntries(back.searchParams), { iss: issuer, state: 's', code: /./ })

  const authorization = `Basic ${Buffer.from(`grafana:${secret}`).toString('base64')}`
  const { body: tokens } = await ask(pathOf(metadata.token_endpoint as string), {
    ...{ method: 'POST', headers: { ...form, authorization } },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '' },
      ...{ redirect_uri: redirectUri, code_verifier: verifier },
    }).toString(),
  })
  const { body: info } = await ask(pathOf(metadata.userinfo_endpoint as string), {
    headers: { authorization: `Bearer ${tokens.access_token as string}` },
  })
  t.match(info, { name: 'alice' })
  const asked = await ask('/oidc/logout', { headers: { cookie: all } })
  t.equal(asked.status, 200)
  t.match(asked.body, 'action=')
}

for (const { name, skip, start } of strippingProxies)
  test(`an application signs people in behind ${name}, which takes a prefix away`, { skip }, async (t) => {
    const issuer = 'http://localhost:9/id'
    const { server, addClient } = await startProvider(t, { settings: { issuer } })
    const { secret = '' } = await addClient()
    const port = await start(t, server.origin, '/id')
    const ask: Ask = async (path, init = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}/id${path}`, { redirect: 'manual', ...init })
      const text = await response.text()
      return {
        status: response.status,
        location: response.headers.get('location') ?? '',
        cookies: response.headers.getSetCookie(),
        body: text.startsWith('{') ? JSON.parse(text) : text,
      }
    }
    await signInThrough(t, issuer, ask, secret)
    // Clients of OAuth put the path behind the well-known one (RFC 8414 3.1); the proxy has to pass that address as well.
    for (const [path, status] of [
      ['/.well-known/oauth-authorization-server/id', 200],
      ['/.well-known/oauth-authorization-server', 200],
      ['/.well-known/oauth-authorization-server/other', 404],
    ] as const)
      t.equal((await fetch(server.origin + path)).status, status, path)
  })

for (const [name, { variable, run }] of Object.entries(proxies)) {
  const program = process.env[variable] ?? ''
  test(
    `an application signs people in behind ${name} by https`,
    { skip: program === '' && `no ${name}` },
    async (t) => {
      const issuer = 'https://auth.example.com'
      const { server, addClient } = await startProvider(t, {
        settings: { issuer },
        environment: { TRUST_PROXY: '127.0.0.1' },
      })
      const { secret = '' } = await addClient()
      const port = await freePort()
      const { certificate } = run(t, program, { port, origin: server.origin, directory: temporary(t) })
      const askAt = (
        path: string,
        options: Omit<Parameters<typeof askSecurely>[1], 'certificate'> = {},
        body?: string,
      ) => askSecurely(port, { certificate, path, ...options }, body)
      await eventually(`${name} to answer`, () => askAt('/health/live').catch(() => undefined))
      const ask: Ask = async (path, { method, headers, body } = {}) => {
        const answer: SecureAnswer = await askAt(path, { ...(method && { method }), ...(headers && { headers }) }, body)
        return {
          status: answer.status,
          location: String(answer.headers['location'] ?? ''),
          cookies: [answer.headers['set-cookie'] ?? []].flat(),
          body: answer.body,
        }
      }
      await signInThrough(t, issuer, ask, secret)
    },
  )
}
