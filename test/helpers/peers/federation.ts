import type { Test } from 'tap'
import type { Clock } from '../../../lib/clock.js'
import type { LoginResult } from '../../../schemas/login.js'
import type { AuthUrl, SocialTicket } from '../../../schemas/social.js'
import { startHostileProvider, type Fault, type HostileProvider } from './hostile-provider.js'
import { federation } from './openid-provider.js'
import { startServer, type Answer, type CallOptions, type ServerOptions } from '../service/server.js'

type Plain = Record<string, unknown>

interface Options {
  /** The platforms, and where each provider is not honest. */
  platforms?: Record<string, Fault>
  /** Laid over the settings of every provider. */
  provider?: Plain
  /** Laid over the settings of the federation. */
  federation?: Plain
  settings?: Plain
  environment?: Record<string, string>
  loginMethods?: ServerOptions['loginMethods']
}

/** Where somebody signs in. */
export interface Place {
  tenantId?: number
  userClient?: string
}

/** Where somebody begins to sign in elsewhere, and the token that is sent along. */
export interface Beginning extends Place {
  token?: string
}

export const browserCookie = 'rollcall_browser'

/** Value and attributes of the cookie that the beginning of a sign-in leaves in the browser. */
export const cookieOf = (answer: Answer) => {
  const [line = '', ...others] = answer.headers.getSetCookie()
  const [pair = '', ...attributes] = line.split('; ')
  return {
    header: { cookie: pair },
    value: pair.slice(browserCookie.length + 1),
    attributes: attributes.sort(),
    others,
  }
}

/** A server and OpenID providers that people can sign in at, by default an honest one called `corporate`. */
export const startFederation = async (t: Test, options: Options = {}) => {
  const { platforms = { corporate: {} }, settings = {}, environment = {} } = options
  const providers = new Map<string, HostileProvider>()
  const clock: Clock = { now: () => server.clock.now() }
  for (const [platform, fault] of Object.entries(platforms)) {
    providers.set(platform, await startHostileProvider(t, fault, platform, clock))
  }
  const list = [...providers.values()].map((provider) => ({ ...provider.settings, ...options.provider }))
  const more = { unknownIdentity: 'register', ...options.federation }
  const server = await startServer(t, {
    // Tables of refusals would be paused.
    settings: { lockout: { nameFailures: 100 }, ...federation(list, more), ...settings },
    environment,
    ...(options.loginMethods && { loginMethods: options.loginMethods }),
  })

  const provider = (platform: string): HostileProvider => {
    const found = providers.get(platform)
    if (!found) throw new Error(`there is no provider ${platform}`)
    return found
  }
  const begin = (platform = 'corporate', call: CallOptions = {}) =>
    server.call<AuthUrl>('GET', `/social/authUrl/${platform}`, call)

  /** Signs in at the provider; resolves to what the browser comes back with. */
  const visit = async (subject = 'alice', platform = 'corporate', call: CallOptions = {}) => {
    const { body } = await begin(platform, call)
    return { platform, ...provider(platform).visit(body.data.authUrl, subject) }
  }
  const callback = (json: object, headers: Record<string, string> = {}) =>
    server.call<SocialTicket>('POST', '/social/callback', { json, headers })
  const signIn = (json: object, headers: Record<string, string> = {}) =>
    server.call<LoginResult>('POST', '/auth/login', { json, headers })

  return {
    server,
    provider,
    begin,
    visit,
    callback,
    signIn,
    /** A ticket of somebody; it can be linked in the session of `token`. */
    ticketOf: async (subject = 'alice', platform = 'corporate', beginning: Beginning = {}): Promise<string> => {
      const { token, ...place } = beginning
      const query = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]))
      const answer = await callback({ ...(await visit(subject, platform, { query, token })), ...place })
      if (answer.status !== 200) throw new Error(`there is no ticket: ${answer.text}`)
      return answer.body.data.socialTicket
    },
    /** How many users there are. */
    countUsers: async (): Promise<number> => {
      const { accessToken } = await server.signIn()
      return (await server.call('GET', '/system/user/page', { token: accessToken })).body.data.total as number
    },
  }
}
