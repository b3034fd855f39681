import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { t as root } from 'tap'

/** What the tests need of tap: to end what they started. */
interface Ending {
  teardown: (end: () => unknown) => void
}

/** A client for one question, which gives up at once. */
const connect = (url: string) =>
  new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, connectTimeout: 1000 })

/** Runs a command on the server at `url`. */
export const runRedis = async (url: string, command: string, ...parameters: (string | number)[]): Promise<any> => {
  const client = connect(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.call(command, ...parameters)
  } finally {
    client.disconnect()
  }
}

const answers = (url: string): Promise<boolean> =>
  runRedis(url, 'ping').then(
    () => true,
    () => false,
  )

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isOpen) await new Promise((resolve) => server.close(resolve))
  return isOpen
}

/** A free port below another one for TLS. The servers of a Cluster also use both ports above them by 10,000. */
const freePorts = async (): Promise<number> => {
  const port = 20_000 + randomInt(10_000)
  const ports = [port, port + 1, port + 10_000, port + 10_001]
  return (await Promise.all(ports.map(isFree))).every(Boolean) ? port : freePorts()
}

const launch = async (parameters: string[]): Promise<ChildProcess | undefined> => {
  const child = spawn('redis-server', parameters, { stdio: 'ignore' })
  // Rejects where there is no such program.
  const isThere = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  return isThere ? child : undefined
}

let isInstalled: Promise<boolean> | undefined
/** Whether `redis-server` can be started here; asked once. */
export const canStartRedis = (): Promise<boolean> =>
  (isInstalled ??= launch(['--version']).then((child) => child !== undefined))

/** Why a test does not run without `redis-server`. */
export const skipped = 'there is no redis-server here (package redis-server)'

/** Paths of a certificate and its key. */
export interface Certificate {
  certificate: string
  key: string
}

const tlsParameters = ({ certificate, key }: Certificate, port: number): string[] => [
  ...['--tls-port', String(port), '--tls-auth-clients', 'no'],
  ...['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate],
]

export interface RedisOptions {
  /** A configuration file. */
  file?: string
  /** Further parameters of `redis-server`. */
  parameters?: string[]
  /** The server also speaks TLS, at `tlsPort`. */
  tls?: Certificate | undefined
  password?: string
}

/** Starts a Redis of its own, which ends with the test. */
export const startRedis = async (t: Ending, { file, parameters = [], password, tls }: RedisOptions = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-redis-'))
  const port = await freePorts()
  const url = `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`
  const all = [
    ...(file === undefined ? [] : [file]),
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    ...(tls ? tlsParameters(tls, port + 1) : []),
    ...parameters,
  ]
  if (password !== undefined) all.push('--requirepass', password)
  let child: ChildProcess | undefined

  const server = {
    url,
    port,
    tlsPort: port + 1,
    async start(): Promise<void> {
      child = await launch(all)
      for (let tries = 0; !(await answers(url)); tries++) {
        if (tries === 500) throw new Error('redis-server does not answer')
        await setTimeout(10)
      }
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      if (child?.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    /** It stays connected, and answers nothing. */
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    run: (command: string, ...values: (string | number)[]) => runRedis(url, command, ...values),
  }
  t.teardown(async () => {
    await server.stop('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })
  await server.start()
  return server
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>

const given = process.env['ROLLCALL_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const chooseRedis = async (): Promise<string | undefined> => {
  if (await answers(given)) return given
  return (await canStartRedis()) ? (await startRedis(root)).url : undefined
}
let chosen: Promise<string | undefined> | undefined
/** The URL of a Redis whose keys the tests share: that of `ROLLCALL_TEST_REDIS_URL` where it answers, or one of their own. */
export const findRedis = (): Promise<string | undefined> => (chosen ??= chooseRedis())

/** Deletes the keys that begin with `prefix`. */
export const deleteKeys = async (url: string, prefix: string): Promise<void> => {
  const keys = (await runRedis(url, 'keys', `${prefix}*`)) as string[]
  if (keys.length > 0) await runRedis(url, 'del', ...keys)
}

/** All keys of a database of Redis with their values. */
export const everythingIn = async (url: string): Promise<string> => {
  const texts: string[] = []
  for (const key of (await runRedis(url, 'keys', '*')) as string[]) {
    const read = {
      string: ['get'],
      hash: ['hgetall'],
      set: ['smembers'],
      list: ['lrange', 0, -1],
      zset: ['zrange', 0, -1],
    } as const
    const type = (await runRedis(url, 'type', key)) as keyof typeof read
    const [command, ...parameters] = read[type]
    texts.push(key, JSON.stringify(await runRedis(url, command, key, ...parameters)))
  }
  return texts.join('\n')
}

/** The tests over HTTP keep short-lived state in the database, or with `ROLLCALL_TEST_STORE=redis` in Redis. */
export const isOnRedis = process.env['ROLLCALL_TEST_STORE'] === 'redis'

const databases = 10_000
let own: Promise<RedisServer> | undefined
let used = 0
/** The URL of an empty database of a Redis that ends with the process. */
export const emptyRedis = async (): Promise<string> => {
  own ??= startRedis(root, { parameters: ['--databases', String(databases)] })
  return `${(await own).url}/${++used % databases}`
}
