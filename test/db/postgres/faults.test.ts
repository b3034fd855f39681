import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { runSql } from '../../helpers/databases/postgres.js'
import { skipped, smallFolder, startCluster } from '../../helpers/databases/postgres-cluster.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { createSteadyLoad } from '../../helpers/load/steady-load.js'
import { startProxy } from '../../helpers/databases/tcp-proxy.js'

/** Connections of the server, few enough that a test can use all. */
const maxConnections = 40
/** An answer may wait for a connection (2 s) and then for a statement (5 s), and this machine may be busy. Milliseconds. */
const longestAnswer = 15_000

/** Starts the service on a PostgreSQL of its own, in the folder `within`, behind a proxy. */
const open = async (t: Test, settings: Record<string, string | number>, within?: string) => {
  const cluster = await startCluster(t, settings, within)
  const proxy = await startProxy(t, cluster.port)
  const url = cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`)
  const server = await startServer(t, { environment: { DATABASE_URL: url } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn()
  return { cluster, proxy, server, token }
}

type Scene = Awaited<ReturnType<typeof open>>

interface Fault {
  /** Everything fails: no request may succeed. */
  isTotal: boolean
  fail: (scene: Scene) => unknown
  heal: (scene: Scene) => unknown
}

const cutBackends = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rollcall'`
const held: Client[] = []

/** How PostgreSQL fails, and how the fault ends. */
const faults: Record<string, Fault> = {
  'is stopped and started': {
    isTotal: true,
    fail: ({ cluster }) => cluster.stop(),
    heal: ({ cluster }) => cluster.start(),
  },
  'crashes and is started': {
    isTotal: true,
    fail: ({ cluster }) => cluster.stop('immediate'),
    heal: ({ cluster }) => cluster.start(),
  },
  'loses a process by kill -9': {
    isTotal: false,
    async fail({ cluster }) {
      const [row] = await runSql(
        cluster.url,
        `select pid from pg_stat_activity where application_name = 'rollcall' order by backend_start limit 1`,
      )
      await cluster.kill((row as { pid: number }).pid)
    },
    heal: () => undefined,
  },
  hangs: {
    isTotal: true,
    fail: ({ proxy }) => proxy.set('hang'),
    heal({ proxy }) {
      proxy.set('pass')
      // What was held back is lost: the connections are of no use.
      proxy.cut()
    },
  },
  'resets connections before it answers COMMIT': {
    isTotal: false,
    fail: ({ proxy }) => proxy.set('reset at commit'),
    async heal({ proxy }) {
      await eventually('a COMMIT to be reset', () => (proxy.resets() > 0 ? true : undefined))
      proxy.set('pass')
    },
  },
  'has no connection left': {
    isTotal: false,
    async fail({ cluster }) {
      for (let count = 0; count < maxConnections; count++) {
        const client = new Client({ connectionString: cluster.url })
        client.on('error', () => undefined)
        if (count === 1) await held[0]?.query(cutBackends)
        const isFull = await client.connect().then(
          () => false,
          () => true,
        )
        if (isFull) break
        held.push(client)
      }
    },
    async heal() {
      await Promise.all(held.splice(0).map((client) => client.end()))
    },
  },
}

/** Users whom a full disk refuses: each has another name. */
let count = 0

const ready = (server: TestServer) => server.call('GET', '/health/ready')
const readyAgain = (server: TestServer) =>
  eventually('the service to be well again', async () => ((await ready(server)).status === 200 ? true : undefined))

const endure = async (t: Test, scene: Scene, { isTotal, fail, heal }: Fault) => {
  const { cluster, server, token } = scene
  const load = createSteadyLoad(server, token)
  await eventually('some answers', () => (load.answers.length > 20 ? true : undefined))
  await fail(scene)
  if (isTotal) {
    const begin = performance.now()
    expectProblem(t, await ready(server), 'unavailable')
    t.ok(performance.now() - begin < longestAnswer)
    const refused = await server.call('GET', '/auth/userInfo', { token })
    expectProblem(t, refused, 'unavailable')
    t.ok(Number(refused.headers.get('retry-after')) > 0)
  }
  await setTimeout(500)
  await heal(scene)
  await readyAgain(server)
  await load.stop()

  for (const { what, answer, time } of load.answers) {
    if (answer.status !== 200) {
      expectProblem(t, answer, 'unavailable')
      t.notMatch(answer.text, /accessToken|postgres|127\.0\.0\.1/i)
    }
    if (time > longestAnswer) t.fail(`${what} took ${Math.round(time)} ms`)
  }
  t.ok(
    load.answers.some(({ answer }) => answer.status === 503),
    'the fault was seen',
  )
  const rows = await runSql(cluster.url, 'select username from users')
  const there = new Set(rows.map(({ username }) => username as string))
  t.strictSame(
    load.added.filter((name) => !there.has(name)),
    [],
    'what was answered 200 is there',
  )
  await server.signIn('alice')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
}

test('faults of PostgreSQL', { skip: skipped }, async (t) => {
  const scene = await open(t, { max_connections: maxConnections })
  for (const [how, fault] of Object.entries(faults)) {
    await t.test(`PostgreSQL ${how}: 503 in time, then all is well again`, (t) => endure(t, scene, fault))
  }
  t.notMatch(scene.server.log(), /internal_error/)
})

/** Appends to a file until nothing more fits on its disk. */
const fill = (path: string) => {
  for (const length of [2 ** 20, 2 ** 12]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(length))
    } catch (error) {
      if (!String(error).includes('ENOSPC')) throw error
    }
  }
}

test('PostgreSQL has a full disk: 503 in time, then all is well again', { skip: skipped }, async (t) => {
  const folder = await smallFolder(t, 128)
  if (folder === undefined) return t.pass('a disk of its own', { skip: 'this process may not mount one' })
  const filler = join(folder, 'filler')
  const scene = await open(t, { max_wal_size: '8MB', min_wal_size: '2MB' }, folder)
  const addFails = async ({ server, token }: Scene) => {
    fill(filler)
    const username = `refused-${++count}`
    const { status } = await server.call('POST', '/system/user', { token, json: { username, password: userPassword } })
    return status === 503 ? true : undefined
  }
  await endure(t, scene, {
    isTotal: false,
    fail: (scene) => eventually('a full disk', () => addFails(scene)),
    async heal({ cluster }) {
      rmSync(filler)
      await cluster.ensureRunning()
    },
  })
  t.notMatch(scene.server.log(), /internal_error/)
})
