import * as oidc from 'openid-client'
import type { Test } from 'tap'
import { freePort } from '../../../test/helpers/processes/free-port.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { createPageBrowser, ownPage } from '../../../test/helpers/service/page-browser.js'
import { merge, startServer, userPassword, type ServerOptions } from '../../../test/helpers/service/server.js'
import { operatorActor } from '../../../lib/actor.js'
import type { NewClient } from '../clients/clients.js'
import { presets } from '../clients/settings.js'

export const redirectUri = 'https://grafana.example.com/login/generic_oauth'

const grafana: NewClient = {
  ...presets,
  id: 'grafana',
  name: 'Grafana',
  tenantId: 1,
  redirectUris: [redirectUri],
  consent: 'never',
}

/** Asserts that an application is refused something, and by which word. */
export const expectRefusal = async (
  t: Test,
  work: Promise<unknown>,
  error: string,
  sentence = error,
): Promise<void> => {
  const outcome = await work.catch((refusal: unknown) => refusal)
  t.match(outcome, { error }, sentence)
}

/** The link to the application on a page that refuses somebody. */
export const wayBack = (page: string): string =>
  /<a href="([^"]+)">Back to /.exec(page)?.[1]?.replaceAll('&#38;', '&') ?? ''

/** A service that signs people in to applications, with the user `alice`. */
export const startProvider = async (t: Test, options: ServerOptions & { name?: string } = {}) => {
  const port = options.port ?? (await freePort())
  const issuer = `http://${options.name ?? '127.0.0.1'}:${port}`
  const settings = merge({ issuer, provider: { enabled: true } }, options.settings ?? {})
  const server = await startServer(t, { ...options, port, settings })
  const alice = await server.addUser('alice')

  const addClient = (more: Partial<NewClient> = {}) =>
    server.app.applications.add(operatorActor(), { ...grafana, ...more })

  /** The application's side: the library that Node programs use (certified). */
  const connect = async (id = 'grafana', secret?: string) =>
    oidc.discovery(
      new URL(issuer),
      id,
      undefined,
      secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is deprecated for anything but this machine
      { execute: [oidc.allowInsecureRequests] },
    )

  /** The browser of somebody, which follows redirects as far as the application or a page. */
  const openBrowser = () => {
    const browser = createPageBrowser(server)
    const cookies = new Map<string, string>()
    const get = async (url: string, headers: Record<string, string> = {}) => {
      const cookie = [...browser.jar, ...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { redirect: 'manual', headers: { ...headers, ...(cookie && { cookie }) } })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    }
    return {
      ...browser,
      get,
      cookies,

      signIn: async (username = 'alice', password = userPassword, more: object = {}) =>
        expectSuccess(
          t,
          await browser.post('/auth/login', { headers: ownPage, json: { username, password, cookie: true, ...more } }),
        ),

      /**
       * Where the browser ends: the address of the application, of the sign-in page, or an answer that leads nowhere. `others` are origins of
       * applications that really run.
       */
      async follow(from: URL | string, others: string[] = []): Promise<{ url: URL; response: Response | undefined }> {
        let url = new URL(from)
        for (let step = 0; step < 10; step++) {
          const isThere = [issuer, ...others].includes(url.origin)
          if (!isThere || url.pathname === '/sign-in') return { url, response: undefined }
          const response = await get(url.href)
          const location = response.headers.get('location')
          if (location === null) return { url, response }
          url = new URL(location, url)
        }
        throw new Error(`the browser goes round in circles, last at ${url.href}`)
      },
    }
  }

  /** A request for a code, and what makes the code a token. */
  const ask = async (configuration: oidc.Configuration, more: Record<string, string> = {}) => {
    const verifier = oidc.randomPKCECodeVerifier()
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid profile email groups tenant',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...{ state, nonce, ...more },
    })
    const exchange = (callback: URL, parameters: Record<string, string> = {}) => {
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
      return oidc.authorizationCodeGrant(configuration, callback, checks, parameters)
    }
    return { url, exchange, state, verifier }
  }

  /** Answers the page that asks whether an application may do what it has asked for at `from`, and goes on. */
  const answer = async (browser: ReturnType<typeof openBrowser>, from: URL, json: object) => {
    const { url } = await browser.follow(from)
    const path = `/oidc/interactions/${url.searchParams.get('interaction') ?? ''}`
    const asked = (await (await browser.get(`${issuer}${path}/details`)).json()) as { data: object }
    for (const [name, value] of browser.cookies) browser.jar.set(name, value)
    const said = expectSuccess(t, await browser.post(`${path}/consent`, { headers: ownPage, json }))
    for (const name of browser.cookies.keys()) browser.jar.delete(name)
    return { details: asked.data, ...(await browser.follow(said.redirectTo as string)) }
  }

  /** Signs somebody in to an application: all the way to its tokens. */
  const enter = async (configuration: oidc.Configuration, browser: ReturnType<typeof openBrowser>, more = {}) => {
    const { url, exchange } = await ask(configuration, more)
    const { url: callback } = await browser.follow(url)
    return exchange(callback)
  }

  return { server, issuer, alice, addClient, connect, openBrowser, ask, answer, enter }
}

export type StartedProvider = Awaited<ReturnType<typeof startProvider>>
