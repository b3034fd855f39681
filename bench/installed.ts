import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoginResult } from '../schemas/login.js'
import type { UserInfo, UserPage } from '../schemas/user.js'
import type { ReadyAnswers } from './bare-server.js'
import { createBenchDatabase } from './database.js'
import { runCommand, startProcess, type Child, type Environment } from './process.js'
import type { Holds } from './rollcall-server.js'

export const password = 'correct horse battery'
export const json = { 'content-type': 'application/json' }
/** Pages of a hundred users whose names sign in. */
const pagesOfNames = 5
/** Names that each of twenty connections signs in with. */
const namesInAShare = 25

export interface Person {
  username: string
  /** Unmasked. */
  phone: string | null
}

/** Resolves to `data` of the response. Throws if the status is not 200. */
export const ask = async <T>(url: string, options: RequestInit = {}): Promise<T> => {
  const answer = await fetch(url, options)
  if (answer.status !== 200) throw new Error(`${url}: ${await answer.text()}`)
  return ((await answer.json()) as { data: T }).data
}

const signInBody = (username: string, userClient = 'pc') => JSON.stringify({ username, password, userClient })

/** Runs `work`; returns its outcome and for how long the event loop of `server` was held during it. */
export const watch = async <T>(server: Child, work: () => Promise<T>): Promise<{ outcome: T; holds: Holds }> => {
  await server.ask('watch')
  const outcome = await work()
  return { outcome, holds: await server.ask<Holds>('holds') }
}

/**
 * Starts Rollcall in a new data directory, the bare server and the latency probe, each in a process of its own. With
 * `databaseServer`, the URL of a PostgreSQL server, the database is there.
 */
export const install = async (databaseServer: string | undefined) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-'))
  // Also after Ctrl-C and after an error.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const database = await createBenchDatabase(databaseServer, directory)
  const environment = {
    DATA_DIR: directory,
    DATABASE_URL: database.url,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ROLLCALL_ADMIN_PASSWORD: password,
  }
  const startServer = (more: Environment = {}) => startProcess('./rollcall-server.js', { ...environment, ...more })
  const [server, bare, latencyProbe] = await Promise.all([
    startServer(),
    startProcess('./bare-server.js', { DATA_DIR: directory, DATABASE_URL: database.url, PASSWORD: password }),
    startProcess('./latency-probe.js'),
  ])
  const { url } = server
  const signIn = (username: string, userClient?: string) =>
    ask<LoginResult>(`${url}/auth/login`, { method: 'POST', headers: json, body: signInBody(username, userClient) })
  // With the client `app`, so that later sign-ins of the administrator with `pc` do not end this session.
  let session = await signIn('admin', 'app')
  const headers = { authorization: `Bearer ${session.accessToken}` }
  const page = (query: string) => ask<UserPage>(`${url}/system/user/page?${query}`, { headers })
  let users = 1
  let names: string[] = []

  return {
    url,
    bareUrl: bare.url,
    /** Authorization of an administrator. */
    headers,
    page,
    signIn,
    startServer,
    database,
    /** Process ids of Rollcall and the bare server. */
    pids: [server.pid, bare.pid],
    watched: <T>(work: () => Promise<T>) => watch(server, work),
    latencyProbe: latencyProbe as Pick<Child, 'ask'>,
    memory: () => server.ask<number>('memory'),
    /** Returns a function that makes bodies of successful sign-ins, of other users at each call. */
    signIns: () => {
      let first = 0
      return () => {
        const share = Array.from({ length: namesInAShare }, (_, index) => names[(first + index) % names.length] ?? '')
        first += namesInAShare
        return share.map((name) => signInBody(name))
      }
    },
    /** Users of the default tenant who may sign in. */
    names: () => names,

    /** Adds users until there are `count`. Resolves to the time that this took, in seconds. */
    async grow(count: number): Promise<number> {
      const start = performance.now()
      const args = ['user', 'generate', '--count', String(count - users), '--seed', 'bench', '--password-stdin']
      await runCommand(args, environment, password)
      users = count
      await database.settle()
      const seconds = (performance.now() - start) / 1000
      // Ten million users take longer than a token lasts.
      session = await signIn('admin', 'app')
      headers.authorization = `Bearer ${session.accessToken}`
      const userInfo = await ask<UserInfo>(`${url}/auth/userInfo`, { headers })
      const answers = { userInfo, page: await page(''), longPage: await page('pageSize=100'), signIn: session }
      await bare.ask('repeat', answers satisfies ReadyAnswers)
      const query = 'tenantId=1&userStatus=1&userType=2&pageSize=100'
      const pages = await Promise.all(
        Array.from({ length: pagesOfNames }, (_, index) => page(`${query}&pageNum=${index + 1}`)),
      )
      names = pages.flatMap(({ records }) => records.map(({ username }) => username))
      return seconds
    },

    async stop(): Promise<void> {
      await Promise.all([server, bare, latencyProbe].map((child) => child.stop()))
    },
  }
}

export type Installed = Awaited<ReturnType<typeof install>>
