import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Test } from 'tap'

export const redirectUri = 'https://console.example.com/social'

/** Keeps the cookies of one person's browser. */
const createBrowser = () => {
  const cookies = new Map<string, string>()
  return async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
}

interface ProviderOptions {
  /** How clients may authenticate at the token endpoint; absent means in both ways. */
  authMethods?: ('client_secret_basic' | 'client_secret_post')[]
  /** How our client is registered to authenticate; absent means the first of them. */
  authMethod?: 'client_secret_basic' | 'client_secret_post'
  /** Answers a request in place of the provider, if it returns true. */
  take?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A real OpenID provider on loopback (oidc-provider, certified), whose people sign in with any password. */
export const startOpenIdProvider = async (t: Test, options: ProviderOptions = {}) => {
  const { authMethods = ['client_secret_basic', 'client_secret_post'], authMethod = authMethods[0], take } = options
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'rollcall',
        client_secret: 'rollcall-secret',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: authMethod,
      },
    ],
    clientAuthMethods: authMethods,
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, preferred_username: sub, email: 'shared@example.com' }),
    }),
    cookies: { keys: ['test'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    // oidc-provider takes either; other providers do not.
    const sent = request.headers.authorization === undefined ? 'client_secret_post' : 'client_secret_basic'
    if (request.url === '/token' && sent !== authMethod) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
    } else if (!take?.(request, response)) void handle(request, response)
  })
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })

  return {
    issuer,
    settings: {
      platform: 'corporate',
      kind: 'oidc',
      name: 'Corporate',
      issuer,
      clientId: 'rollcall',
      clientSecret: 'rollcall-secret',
      redirectUris: [redirectUri],
    },

    /** Signs `login` in at the page of the provider and gives consent; returns what the browser is sent back with. */
    async visit(authUrl: string, login: string): Promise<{ code: string; state: string; iss: string }> {
      const browse = createBrowser()
      let url = authUrl
      for (let step = 0; step < 20; step++) {
        const page = await browse(url)
        const location = page.headers.get('location')
        if (location?.startsWith(redirectUri)) {
          return Object.fromEntries(new URL(location).searchParams) as { code: string; state: string; iss: string }
        }
        if (location) {
          url = new URL(location, url).href
          continue
        }
        const html = await page.text()
        const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? []
        const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(html) ?? []
        if (!action) throw new Error(`the provider answered ${page.status}: ${html.slice(0, 500)}`)
        const answer = await browse(new URL(action, url).href, { prompt, login, password: 'any' })
        url = new URL(answer.headers.get('location') ?? '', url).href
      }
      throw new Error('the provider goes round in circles')
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

/** Settings of a federation that may speak to the loopback. */
export const federation = (providers: object[], more: object = {}) => ({
  federation: { allowHttp: true, allowPrivateAddresses: true, providers, ...more },
})
