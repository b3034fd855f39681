import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oidc from 'openid-client'
import type { Test } from 'tap'
import type { StartedProvider } from './start-provider.js'

/** An application on this machine that signs people in and says who they are, once it `use`s what it has been added as. */
export const startApplication = async (t: Test, connect: StartedProvider['connect']) => {
  let added: { client: { id: string }; secret: string | undefined } | undefined
  const waiting = new Map<string, string>()
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const url = new URL(request.url ?? '/', origin)
      if (!added) throw new Error('the application has not been added yet')
      const configuration = await connect(added.client.id, added.secret)
      if (url.pathname === '/login') {
        const [verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()]
        waiting.set(state, verifier)
        const more = Object.fromEntries(url.searchParams)
        const target = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: `${origin}/back`,
          scope: 'openid profile groups',
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...{ state, ...more },
        })
        response.writeHead(302, { location: target.href }).end()
        return
      }
      const state = url.searchParams.get('state') ?? ''
      const tokens = await oidc
        .authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: waiting.get(state) ?? '',
          expectedState: state,
        })
        .catch((error: unknown) => error)
      const said =
        tokens instanceof Error
          ? `refused: ${String((tokens as { error?: unknown }).error)}`
          : `hello ${JSON.stringify((tokens as oidc.TokenEndpointResponseHelpers).claims()?.['preferred_username'])}`
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>${said}</h1>`)
    }
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    redirectUri: `${origin}/back`,
    use: (client: typeof added): void => {
      added = client
    },
  }
}
