import type { Test } from 'tap'
import { expectSuccess } from './expect.js'
import { startServer, userPassword, type Answer, type CallOptions, type ServerOptions } from './server.js'

/** What a page of the same origin sends of itself. */
export const ownPage = { 'sec-fetch-site': 'same-origin' }

/** Over https the name has a prefix. */
const pageCookie = /^(__Host-)?rollcall_page_/

/** A browser with its cookies, whose requests come from a page of the same origin unless the headers say otherwise. */
export const createPageBrowser = (server: {
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
}) => {
  const jar = new Map<string, string>()
  const keep = (line: string): void => {
    const [pair = '', ...attributes] = line.split('; ')
    const index = pair.indexOf('=')
    const [name, value] = [pair.slice(0, index), pair.slice(index + 1)]
    if (attributes.includes('Max-Age=0')) jar.delete(name)
    else jar.set(name, value)
  }
  const pageCookieName = () => [...jar.keys()].find((name) => pageCookie.test(name))
  return {
    jar,
    pageCookieName,
    pageCookie: () => jar.get(pageCookieName() ?? ''),
    async post(path: string, { headers = ownPage, ...options }: CallOptions = { json: {} }): Promise<Answer> {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await server.call('POST', path, { ...options, headers: { ...headers, ...(cookie && { cookie }) } })
      for (const line of answer.headers.getSetCookie()) keep(line)
      return answer
    },
  }
}

export type PageBrowser = ReturnType<typeof createPageBrowser>

/** The page cookies that an answer sets or clears, as they are. */
export const pageCookiesOf = (answer: Answer): string[] =>
  answer.headers.getSetCookie().filter((line) => pageCookie.test(line))

export const isCleared = (answer: Answer): boolean => {
  const [line = '', ...more] = pageCookiesOf(answer)
  return more.length === 0 && /^(__Host-)?rollcall_page_[\w-]{16}=; Max-Age=0; /.test(line)
}

/** A sign-in that asks for the page cookie. */
export const pageSignIn = { username: 'alice', password: userPassword, cookie: true }
const listed = 'https://console.example.com'

/** A server with an ordinary user, who can sign in on a page. */
export const startWithPages = async (t: Test, options: ServerOptions = {}) => {
  const server = await startServer(t, { environment: { CORS_ORIGINS: listed }, ...options })
  const user = await server.addUser('alice')
  const signIn = async () => {
    const browser = createPageBrowser(server)
    const result = expectSuccess(t, await browser.post('/auth/login', { json: pageSignIn }))
    return { browser, token: result.accessToken as string }
  }
  const userInfo = (token: string) => server.call('GET', '/auth/userInfo', { token })
  return { server, user, signIn, userInfo }
}

/** Who may send a request with the cookie, by what browsers say of it. */
export const senders: [sentence: string, headers: (origin: string) => Record<string, string>, isOwn: boolean][] = [
  ['a page of the same origin', () => ownPage, true],
  ['an older browser, from the same host', (origin) => ({ origin }), true],
  ['an app or a server', () => ({}), false],
  ['a page of the same site', () => ({ 'sec-fetch-site': 'same-site' }), false],
  ['a page of another site', () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.net' }), false],
  ['a page of another site that claims the host', (origin) => ({ 'sec-fetch-site': 'cross-site', origin }), false],
  ['an address that was typed', () => ({ 'sec-fetch-site': 'none' }), false],
  ['an origin of CORS_ORIGINS', () => ({ 'sec-fetch-site': 'cross-site', origin: listed }), false],
  ['an older browser, from an origin of CORS_ORIGINS', () => ({ origin: listed }), false],
  ['an older browser, from another port', () => ({ origin: 'http://127.0.0.1:1' }), false],
  ['an older browser that hides the origin', () => ({ origin: 'null' }), false],
]
