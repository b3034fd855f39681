import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoginResult } from '../schemas/login.js'
import type { UserInfo, UserPage } from '../schemas/user.js'
import type { ReadyAnswers } from './bare-server.js'
import { runCommand, startProcess, type Child } from './process.js'
import type { Holds } from './rollcall-server.js'

export const password = 'correct horse battery'
export const json = { 'content-type': 'application/json' }
/** Pages of a hundred users, for sign-ins of many different names. */
const pagesOfNames = 5
/** So many for each of twenty connections. */
const namesInAShare = 25

export interface Person {
  username: string
  /** Unmasked. */
  phone: string | null
}

/** Asks a server for `data`; throws for every answer but 200. */
export const ask = async <T>(url: string, options: RequestInit = {}): Promise<T> => {
  const answer = await fetch(url, options)
  if (answer.status !== 200) throw new Error(`${url}: ${await answer.text()}`)
  return ((await answer.json()) as { data: T }).data
}

/** The system writes a new file to the disk for long after, which would cost whatever is measured meanwhile. */
const flush = (path: string) => {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

const signInBody = (username: string, userClient = 'pc') => JSON.stringify({ username, password, userClient })

/** Runs `work` and says beside its outcome how long the event loop of `server` was held meanwhile. */
export const watch = async <T>(server: Child, work: () => Promise<T>): Promise<{ outcome: T; holds: Holds }> => {
  await server.ask('watch')
  const outcome = await work()
  return { outcome, holds: await server.ask<Holds>('holds') }
}

/** Rollcall on a fresh data directory and the bare routes, both in processes of their own. */
export const install = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-'))
  // Whatever ends this process, nothing stays behind.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const environment = {
    DATA_DIR: directory,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ROLLCALL_ADMIN_PASSWORD: password,
  }
  const startServer = () => startProcess('./rollcall-server.js', environment)
  const [server, bare, prober] = await Promise.all([
    startServer(),
    startProcess('./bare-server.js', { DATA_DIR: directory, PASSWORD: password }),
    startProcess('./prober.js'),
  ])
  const { url } = server
  const signIn = (username: string, userClient?: string) =>
    ask<LoginResult>(`${url}/auth/login`, { method: 'POST', headers: json, body: signInBody(username, userClient) })
  // As an app: further sign-ins of the administrator do not replace this session.
  const session = await signIn('admin', 'app')
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
    /** Of the servers whose figures are compared. */
    pids: [server.pid, bare.pid],
    watched: <T>(work: () => Promise<T>) => watch(server, work),
    prober: prober as Pick<Child, 'ask'>,
    memory: () => server.ask<number>('memory'),
    /** Hands out bodies of sign-ins that succeed, those of other users each time. */
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

    /** Adds users until there are `count`. Resolves to the seconds that took. */
    async grow(count: number): Promise<number> {
      const start = performance.now()
      const args = ['user', 'generate', '--count', String(count - users), '--seed', 'bench', '--password-stdin']
      await runCommand(args, environment, password)
      users = count
      flush(join(directory, 'rollcall.db'))
      const seconds = (performance.now() - start) / 1000
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
      await Promise.all([server, bare, prober].map((child) => child.stop()))
    },
  }
}

export type Installed = Awaited<ReturnType<typeof install>>
