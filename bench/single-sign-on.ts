import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { settingsReader } from '../app.js'
import type { Settings } from '../schemas/settings.js'

/** The application that asks; what it is told at its address is read from the redirect. */
export const application = {
  id: 'bench',
  secret: 'a secret of the benchmark',
  redirectUri: 'https://app.example/back',
  scope: 'openid profile email',
}

/** Single sign-on has to know its address before it listens. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** Single sign-on at this address. */
export const addSingleSignOn = (settings: Settings, issuer: string): void => {
  // The block of a guest, which may be away.
  const filled: object = settingsReader.fill({ provider: { enabled: true } })
  Object.assign(settings, { issuer, provider: (filled as { provider?: object }).provider })
}

const verifier = randomBytes(32).toString('base64url')

/** A provider that is asked by the application for somebody who is signed in there. */
export interface AskedProvider {
  issuer: string
  /** Of the browser of that person. */
  cookie: string
  secret: string
}

export const authorizationUrl = ({ issuer }: AskedProvider): string => {
  const query = new URLSearchParams({
    ...{ client_id: application.id, redirect_uri: application.redirectUri, response_type: 'code', state: 's' },
    scope: application.scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${issuer}/oidc/authorize?${query.toString()}`
}

/** Headers of the requests of the application. */
export const headersOf = ({ secret }: AskedProvider) => ({
  'content-type': 'application/x-www-form-urlencoded',
  authorization: `Basic ${Buffer.from(`${application.id}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

/** The cookies of a browser in which somebody signs in. */
export const signInOnPage = async (url: string, username: string, password: string): Promise<string> => {
  const response = await fetch(`${url}/auth/login`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' } },
    body: JSON.stringify({ username, password, cookie: true }),
  })
  await response.text()
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Where a request leads, with the cookies that it sets on the way. */
export const follow = async (address: string, jar: Map<string, string>): Promise<URL> => {
  let url = new URL(address)
  const { origin } = url
  for (let step = 0; url.origin === origin && step < 10; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    await response.text()
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.href} answers ${response.status} and leads nowhere`)
    url = new URL(location, url)
  }
  return url
}

const atOnce = 10

/** Bodies of exchanges, each with a code of its own. */
export const makeExchanges = async (provider: AskedProvider, count: number): Promise<string[]> => {
  const url = authorizationUrl(provider)
  const bodies: string[] = []
  const make = async () => {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: provider.cookie } })
    await response.text()
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
    bodies.push(
      new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, redirect_uri: application.redirectUri },
        code_verifier: verifier,
      }).toString(),
    )
  }
  while (bodies.length < count) await Promise.all(Array.from({ length: atOnce }, make))
  return bodies
}

export interface Tokens {
  access_token: string
  refresh_token: string
}

export const exchange = async (provider: AskedProvider): Promise<Tokens> => {
  const [body = ''] = await makeExchanges(provider, 1)
  const answer = await fetch(`${provider.issuer}/oidc/token`, { method: 'POST', headers: headersOf(provider), body })
  if (answer.status !== 200) throw new Error(`${provider.issuer}: ${await answer.text()}`)
  return (await answer.json()) as Tokens
}
