import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Test } from 'tap'
import rollcall, { serverOptions, type RollcallOptions } from '../../../app.js'
import type { AccountToAdd } from '../../../plugins/people/write/account.js'
import type { LoginResult } from '../../../schemas/login.js'
import { createClock } from '../values/clock.js'
import { documentCheck } from '../documents/document.js'
import { createOperator } from './operator.js'
import { adminPassword, userPassword } from './passwords.js'
import { emptyRedis, isOnRedis } from '../databases/redis.js'
import { copyData, openData, prepareData, type Plain } from './prepared-data.js'
import { eventually } from '../processes/process.js'
import { openTemporaryFiles } from './temporary-files.js'

export { adminPassword, userPassword }

export interface Envelope<T = any> {
  code: number
  message: string
  data: T
  timestamp: number
}

export interface Answer<T = any> {
  status: number
  headers: Headers
  text: string
  /** The parsed body, when it is JSON. */
  body: Envelope<T>
}

export interface CallOptions {
  token?: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent as form fields. */
  form?: Record<string, string>
  /** Sent as it is; set `content-type` in `headers`. */
  raw?: string | Buffer
  query?: Record<string, string | number> | string
  headers?: Record<string, string>
}

/** Lays settings over others. */
export const merge = (target: Plain, patch: Plain): Plain => {
  const result = { ...target }
  for (const [key, value] of Object.entries(patch)) {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
    result[key] = isNested ? merge((target[key] ?? {}) as Plain, value as Plain) : value
  }
  return result
}

export interface ServerOptions {
  /** Laid over the `config.json` of the first start. */
  settings?: Plain
  environment?: Record<string, string>
  /** A data directory to begin with, which is copied; absent means that of a first start. */
  data?: string
  /** With a master secret and keys that no other server of the tests has. */
  isForeign?: boolean
  /** With hashes that cost what the configuration says: for tests of hashes. Also where `settings` has `passwords`. */
  hasRealHashes?: boolean
  /** When the clock stands, epoch milliseconds. */
  time?: number
  /** Absent means any free one. */
  port?: number
  /** Absent means 127.0.0.1. */
  host?: string
  /** Times in which requests must arrive, milliseconds; absent means those of the service. */
  times?: { requestTimeout: number; headersTimeout: number; connectionsCheckingInterval: number }
  /** False as in an app around the service that has pages of its own; absent means true, as the service itself. */
  pages?: boolean
  /** Ways to sign in of an app around the service. */
  loginMethods?: RollcallOptions['loginMethods']
  /** Registers further plugins before the server starts. */
  extend?: (app: FastifyInstance) => Promise<void> | void
}

type Checks = ReturnType<typeof documentCheck>[]

/** Those of the first server. */
let usual: Checks | undefined

/**
 * Checks an answer against each document of a server. To build them takes a quarter of a test, and settings change little in them: an answer
 * that fits those of another server needs no others. What is added to a service is in its own documents alone.
 */
const createAnswerCheck = ({ data, loginMethods, extend }: ServerOptions, app: FastifyInstance) => {
  let own: Checks | undefined
  const build = () => (own ??= app.documents.map(({ read }) => documentCheck(read() as never)))
  const isUsual = (data ?? loginMethods ?? extend) === undefined
  return (...answer: Parameters<Checks[number]>): string | undefined => {
    const faultIn = (checks: Checks) => checks.map((check) => check(...answer)).find((fault) => fault !== undefined)
    if (isUsual && faultIn((usual ??= build())) === undefined) return undefined
    return faultIn(build())
  }
}

/** Starts a real server on a real database of its own, with a standing clock, and ends it with the test. */
export const startServer = async (t: Test, options: ServerOptions = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  if (options.data !== undefined) await copyData(t, options.data, directory, options)
  else await prepareData(t, directory, options)
  const environment = {
    DATA_DIR: directory,
    ROLLCALL_ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: 'off',
    ...options.environment,
  }
  // A copy has the Redis of its original in its configuration.
  const redis = isOnRedis && options.data === undefined ? { redisUrl: await emptyRedis() } : undefined
  if (options.settings ?? redis) {
    const file = join(directory, 'config.json')
    const content = merge(JSON.parse(readFileSync(file, 'utf8')) as Plain, { ...redis, ...options.settings })
    writeFileSync(file, JSON.stringify(content))
  }
  const installation = openData(environment, options)
  const clock = createClock(options.time)
  let log = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString()
      done()
    },
  })
  const fastifyOptions = serverOptions({ ...installation.settings, logLevel: 'trace' }, clock)
  const http = { ...fastifyOptions.http, ...options.times }
  const { requestTimeout = fastifyOptions.requestTimeout } = options.times ?? {}
  const logger = { ...(fastifyOptions.logger as object), stream }
  const app = Fastify({ ...fastifyOptions, http, requestTimeout, logger })
  // Before it starts: some tests see that it does not.
  t.teardown(async () => {
    await app.close()
    // Otherwise an upload holds a file, and its place on the disk, until the garbage is collected.
    await eventually('temporary files to be closed', () => (openTemporaryFiles() === 0 ? true : undefined))
    rmSync(directory, { recursive: true, force: true })
  })
  // A function of its own: `fp` marks the one that it is given, and other tests register that with a prefix.
  await app.register(
    fp<RollcallOptions>((inner, more) => rollcall(inner, more)),
    {
      installation,
      clock,
      pages: options.pages ?? true,
      documentsAtStart: false,
      ...(options.loginMethods && { loginMethods: options.loginMethods }),
    },
  )
  await options.extend?.(app)
  await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 })

  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const check = createAnswerCheck(options, app)

  /** Sends a request over HTTP and checks the answer against the OpenAPI documents. */
  const call = async <T = any>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> => {
    const headers = new Headers(options.headers)
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`)
    let body: string | Buffer | undefined = options.raw
    if (options.json !== undefined) {
      headers.set('content-type', 'application/json')
      body = JSON.stringify(options.json)
    } else if (options.form !== undefined) {
      headers.set('content-type', 'application/x-www-form-urlencoded')
      body = new URLSearchParams(options.form).toString()
    }
    const { query = '' } = options
    const search = typeof query === 'string' ? query : new URLSearchParams(query as Record<string, string>).toString()
    const response = await fetch(`${origin}${path}${search === '' ? '' : `?${search}`}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as string }),
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
    const parsed = (isJson ? JSON.parse(text) : undefined) as Envelope<T>
    const fault = isJson ? check(method, path, response.status, parsed) : undefined
    if (fault !== undefined) throw new Error(`The answer does not fit the OpenAPI document: ${fault}\n${text}`)
    return { status: response.status, headers: response.headers, text, body: parsed }
  }

  const operator = createOperator(app)
  return {
    app,
    operator,
    clock,
    directory,
    databaseUrl: installation.settings.databaseUrl,
    origin,
    call,
    /** Everything logged so far. */
    log: () => log,

    /** Signs in and returns the login result; fails the test when the sign-in is refused. */
    async signIn(username = 'admin', password = username === 'admin' ? adminPassword : userPassword, more: Plain = {}) {
      const answer = await call<LoginResult>('POST', '/auth/login', { json: { username, password, ...more } })
      if (answer.status !== 200) throw new Error(`sign-in of ${username} was refused: ${answer.text}`)
      return answer.body.data
    },

    /** Adds an ordinary user with `userPassword`, who need not change it. */
    addUser: (username: string, more: Partial<AccountToAdd> = {}) =>
      operator.addUser({ username, password: userPassword, forcePasswordChange: false, ...more }),
  }
}

export type TestServer = Awaited<ReturnType<typeof startServer>>
