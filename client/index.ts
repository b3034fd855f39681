import type { Operations } from './operations.js'

export type * from './operations.js'

/** Where the token is kept. Browsers can use `sessionStorage`, so that a reload does not sign out. */
export interface TokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>
  /** `null` removes the token. */
  set(token: string | null): void | Promise<void>
}

export interface ClientOptions {
  /** Where Rollcall is, such as `https://id.example.com`, with its prefix if it has one; `''` means the origin of the page. */
  baseUrl: string
  /** An API token, for scripts and other services: it takes the place of a sign-in. */
  token?: string
  /** Where the token of a sign-in is kept; absent means in memory. */
  storage?: TokenStorage
  /**
   * `cookie` for pages of the origin of the service: a sign-in sets an HTTP-only cookie, by which the token is got again after a reload. No script
   * can read it, so leave the token in memory.
   */
  session?: 'cookie'
  /** Language of messages, such as `zh`; absent means that of the browser. */
  language?: string | (() => string)
  /** Absent means that of the platform. */
  fetch?: typeof fetch
  /** `include` for pages of another origin in `CORS_ORIGINS`, so that the device cookie is sent. */
  credentials?: 'include' | 'same-origin' | 'omit'
  /** Called when the session has ended, with the refusal; the token has been removed. */
  onSignedOut?: (error: RollcallError) => void
}

/** The service has refused a request, or something in between has answered it. */
export class RollcallError extends Error {
  override name = 'RollcallError'
  constructor(
    message: string,
    /** HTTP status. */
    readonly status: number,
    /** Stable word of the error catalogue; undefined if the answer is not from Rollcall. */
    readonly reason?: string,
    /** The fields that are not valid. */
    readonly violations: { field: string; message: string }[] = [],
    /** Seconds after which the request may be repeated. */
    readonly retryAfter?: number,
    /** Further facts of a refusal, such as the ticket and the methods of a second step. */
    readonly data: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

/** `module:resource:action`. In a granted permission `*` stands for any one segment. */
export type Permission = `${string}:${string}:${string}`

export const isPermission = (value: unknown): value is Permission =>
  typeof value === 'string' && /^[^:\s]+:[^:\s]+:[^:\s]+$/.test(value)

/** The eight permissions that cover `needed`: each segment is the same or `*`. What is no permission is covered by none. */
export const coveredBy = (needed: Permission): string[] => {
  if (!isPermission(needed)) return []
  const [module = '', resource = '', action = ''] = needed.split(':')
  return [module, '*'].flatMap((first) =>
    [resource, '*'].flatMap((second) => [action, '*'].map((third) => `${first}:${second}:${third}`)),
  )
}

/**
 * Returns a function that says whether a granted permission covers `needed`:
 *
 *     user.permissions.some(covers('report:daily:read'))
 */
export const covers = (needed: Permission): ((granted: string) => boolean) => {
  const covering = new Set(coveredBy(needed))
  return (granted) => covering.has(granted)
}

/** Whether all of these are covered by the granted ones. Takes as long as the two lists are, not as their product. */
export const coversAll = (granted: readonly string[], needed: readonly string[]): boolean => {
  const held = new Set(granted)
  return needed.every((permission) => coveredBy(permission as Permission).some((one) => held.has(one)))
}

type Name = keyof Operations
type Input<N extends Name> = Omit<Operations[N], 'data'>
type Data<N extends Name> = Operations[N]['data']
type SignInBody = Operations['POST /auth/login']['body']
type SignedIn = Data<'POST /auth/login'>
type WithoutTicket<Body> = Body extends { ticket: string } ? Omit<Body, 'ticket'> : never
/** An input may be left out where nothing in it is required. */
type Arguments<N extends Name> =
  object extends Input<N> ? [input?: Input<N> & { signal?: AbortSignal }] : [input: Input<N> & { signal?: AbortSignal }]

interface AnyInput {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  ifMatch?: string
  body?: unknown
  signal?: AbortSignal
}

const inMemory = (): TokenStorage => {
  let token: string | null = null
  return { get: () => token, set: (next) => void (token = next) }
}

const addressOf = (base: string, template: string, { path = {}, query = {} }: AnyInput): string => {
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(path[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value != null)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string])).toString()
  return base.replace(/\/$/, '') + filled + (search && `?${search}`)
}

interface Body {
  code?: number
  message?: string
  data?: ({ reason?: string; violations?: RollcallError['violations'] } & Record<string, unknown>) | null
}

/** The payload of an answer; throws a `RollcallError` unless it is a success in the envelope (interface 2.1). */
const readAnswer = async (response: Response): Promise<unknown> => {
  const body = (await response.json().catch(() => undefined)) as Body | undefined
  if (response.ok && body?.code === 200) return body.data
  const { reason, violations } = body?.data ?? {}
  const retryAfter = Number(response.headers.get('retry-after') ?? undefined)
  throw new RollcallError(
    body?.message ?? `The server has answered with status ${response.status}`,
    response.status,
    reason,
    violations,
    retryAfter || undefined,
    body?.data ?? {},
  )
}

const isSignedOut = (error: unknown): error is RollcallError => error instanceof RollcallError && error.status === 401

/**
 * Calls Rollcall. It keeps the access token, exchanges an expired one once for all waiting calls, and repeats a call that was
 * refused because of it once.
 */
export const createClient = ({
  baseUrl,
  token: apiToken,
  storage = inMemory(),
  session,
  language,
  credentials,
  onSignedOut,
  ...options
}: ClientOptions) => {
  let refreshing: Promise<SignedIn> | undefined
  /** In another tab somebody else may sign in. */
  let userId: number | undefined

  const send = async (name: string, input: AnyInput, token: string | null): Promise<unknown> => {
    const [method = '', template = ''] = name.split(' ')
    const { ifMatch, body, signal } = input
    const response = await (options.fetch ?? fetch)(addressOf(baseUrl, template, input), {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(ifMatch ? { 'if-match': `"${ifMatch}"` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(language ? { 'accept-language': typeof language === 'string' ? language : language() } : {}),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      ...(credentials ? { credentials } : {}),
    })
    return readAnswer(response)
  }

  const current = async (): Promise<string | null> => apiToken ?? (await storage.get()) ?? null

  const keep = async (result: SignedIn): Promise<SignedIn> => {
    userId = result.userInfo.userId
    await storage.set(result.accessToken)
    return result
  }

  /** Removes the token, unless another one has taken its place meanwhile. */
  const forget = async (token: string | null, error: RollcallError): Promise<void> => {
    if (!token || (await current()) !== token) return
    await storage.set(null)
    onSignedOut?.(error)
  }

  const exchange = async (token: string | null): Promise<SignedIn> => {
    try {
      const input = session ? { body: {} } : {}
      const result = (await send('POST /auth/refreshToken', input, session ? null : token)) as SignedIn
      if (token && userId !== undefined && userId !== result.userInfo.userId)
        throw new RollcallError('Another account', 401, 'session_replaced')
      // Meanwhile the user may have signed out, or somebody else in.
      return (await current()) === token ? await keep(result) : result
    } catch (error) {
      if (isSignedOut(error)) await forget(token, error)
      throw error
    }
  }

  const refresh = (token: string | null): Promise<SignedIn> =>
    (refreshing ??= exchange(token).finally(() => (refreshing = undefined)))

  /** The token that takes the place of a refused one, if any. */
  const replace = async (token: string | null, error: RollcallError): Promise<string | null> => {
    if ((await current()) === token) {
      if (error.reason === (token ? 'token_expired' : 'token_missing')) await refresh(token)
      else await forget(token, error)
    }
    return current()
  }

  const signIn = async (body: SignInBody): Promise<SignedIn> => {
    const input = { body: session ? { ...body, cookie: true } : body }
    return keep((await send('POST /auth/login', input, await current())) as SignedIn)
  }

  const call = async <N extends Name>(name: N, ...[given]: Arguments<N>): Promise<Data<N>> => {
    const input = given ?? {}
    const token = await current()
    try {
      return (await send(name, input, token)) as Data<N>
    } catch (error) {
      // Nothing takes the place of an API token.
      if (apiToken || !(token || session) || !isSignedOut(error)) throw error
      const next = await replace(token, error)
      if (!next) throw error
      return (await send(name, input, next)) as Data<N>
    }
  }

  return {
    /** The current access token, to be sent to other services; it may have expired. */
    token: async (): Promise<string | undefined> => (await current()) ?? undefined,

    /**
     * Signs in and keeps the token. Throws a `RollcallError` if that is refused: with the reason `second_factor_required` it is the
     * argument of `finishSignIn`.
     */
    signIn,

    /** The second step of a sign-in, by the code of an app for example. The ticket comes from the refusal of the first step. */
    finishSignIn: ({ data }: RollcallError, body: WithoutTicket<SignInBody>): Promise<SignedIn> =>
      signIn({ ...body, ticket: String(data['ticket']) }),

    /** Proves a password or factor again, after a refusal with the reason `step_up_required`; then repeat the request. */
    stepUp: (body: Operations['POST /auth/stepUp']['body']): Promise<Data<'POST /auth/stepUp'>> =>
      call('POST /auth/stepUp', { body }),

    /** The sign-in of the cookie, after a reload; undefined if there is none. */
    async resume(): Promise<SignedIn | undefined> {
      try {
        return await refresh(await current())
      } catch (error) {
        if (isSignedOut(error)) return undefined
        throw error
      }
    },

    /** Removes the token and ends its session. */
    async signOut(): Promise<void> {
      const token = await current()
      await storage.set(null)
      if (token || session) await send('POST /auth/logout', session ? { body: {} } : {}, token)
    },

    /** Sends a request, such as `'GET /system/user/page'`, and returns the payload of the answer. Throws a `RollcallError`. */
    call,
  }
}

export type RollcallClient = ReturnType<typeof createClient>
