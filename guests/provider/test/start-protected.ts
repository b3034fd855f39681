import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import type { ServerOptions } from '../../../test/helpers/service/server.js'
import type { NewClient } from '../clients/clients.js'
import { presetsOf } from '../clients/settings.js'
import { startProvider } from './start-provider.js'

export const wikiHost = 'wiki.example.com'
export const wikiOrigin = `https://${wikiHost}`

/** What browsers send with a link that somebody follows, and with a picture. */
export const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*' }
export const picture = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', accept: 'image/*' }

/** A request with exactly these headers: `fetch` says itself where a request comes from. */
export const send = async (
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> => {
  const asked = request(url, { method, headers })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const all = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Response(Buffer.concat(await answer.toArray()), { status: answer.statusCode ?? 0, headers: all })
}

export interface Said {
  method: string
  proto: string
  host: string
  uri: string
}

/** A service that protects `https://wiki.example.com`, and what a proxy in front of both asks it. */
export const startProtected = async (
  t: Test,
  { client = {}, ...options }: ServerOptions & { client?: object } = {},
) => {
  const started = await startProvider(t, {
    ...options,
    environment: { TRUST_PROXY: '127.0.0.1', ...options.environment },
  })
  const { server, issuer, openBrowser } = started
  const protect = (more: Partial<NewClient> = {}) =>
    server.app.applications.add(operatorActor(), {
      ...presetsOf('forward'),
      ...{ id: 'wiki', name: 'Wiki', tenantId: 1, hosts: [wikiHost], ...more },
    })
  await protect(client)

  const headersOf = ({ method, proto, host, uri }: Partial<Said>) =>
    Object.fromEntries(
      Object.entries({ method, proto, host, uri }).flatMap(([name, value]) =>
        value === undefined ? [] : [[`x-forwarded-${name}`, value]],
      ),
    )
  /** What a proxy asks. */
  const ask = (said: Partial<Said>, headers: Record<string, string> = {}, query = '') =>
    send(`${issuer}/auth/forward${query}`, { headers: { ...headers, ...headersOf(said) } })

  /** A browser that knows the service and protected hosts. */
  const openVisitor = () => {
    const browser = openBrowser()
    const jars = new Map<string, Map<string, string>>()
    const jarOf = (host: string) => {
      const jar = jars.get(host) ?? new Map<string, string>()
      jars.set(host, jar)
      return jar
    }
    const keep = (host: string, response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') jarOf(host).delete(name)
        else jarOf(host).set(name, value)
      }
      return response
    }
    /** What the proxy of a host sends: to Rollcall itself below `/.rollcall/`, else the question whether it passes. */
    const through = async (
      method: string,
      address: string,
      headers: Record<string, string> = {},
    ): Promise<Response> => {
      const url = new URL(address)
      const { host, pathname, search } = url
      const cookie = [...jarOf(host)].map(([name, value]) => `${name}=${value}`).join('; ')
      const said = { proto: url.protocol.slice(0, -1), host }
      const all = { ...headers, ...(cookie && { cookie }) }
      if (pathname.startsWith('/.rollcall/'))
        return keep(
          host,
          await send(issuer + pathname + search, {
            ...{ method, headers: { ...all, ...headersOf(said) } },
          }),
        )
      return ask({ ...said, method, uri: pathname + search }, all)
    }
    /** Follows redirects as far as an answer, or the sign-in page. */
    const open = async (address: string, headers: Record<string, string> = page) => {
      let url = new URL(address)
      for (let step = 0; step < 12; step++) {
        const isService = url.origin === issuer
        if (isService && url.pathname === '/sign-in') return { url, response: undefined, status: 0 }
        const response = isService ? await browser.get(url.href) : await through('GET', url.href, headers)
        const location = response.headers.get('location')
        if (location === null) return { url, response, status: response.status }
        url = new URL(location, url)
      }
      throw new Error(`the browser goes round in circles, last at ${url.href}`)
    }
    return {
      ...browser,
      jarOf,
      send: through,
      open,
      /** Goes on after a sign-in. */
      goOn: (from: URL) => open(`${issuer}/oidc/interactions/${from.searchParams.get('interaction') ?? ''}`),
      /** Signs in on the way to an address. */
      async enter(address = `${wikiOrigin}/`, username = 'alice', more: object = {}) {
        const { url } = await open(address)
        await browser.signIn(username, undefined, more)
        return this.goOn(url)
      },
    }
  }

  return { ...started, protect, ask, openVisitor }
}

export type StartedProtected = Awaited<ReturnType<typeof startProtected>>
export type Visitor = ReturnType<StartedProtected['openVisitor']>

/** Whether a picture passes. */
export const statusAt = async (visitor: Visitor, path = '/'): Promise<number> =>
  (await visitor.send('GET', wikiOrigin + path, picture)).status
