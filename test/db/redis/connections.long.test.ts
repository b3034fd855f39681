import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { prepareRedis } from '../../../db/index.js'
import { isOutage } from '../../../db/outage.js'
import type { Store } from '../../../db/repositories/store.js'
import { installedDirectory } from '../../helpers/processes/child.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually, startProcess } from '../../helpers/processes/process.js'
import {
  canStartRedis,
  skipped,
  startRedis,
  type Certificate,
  type RedisServer,
} from '../../helpers/databases/redis.js'

const skip = (await canStartRedis()) ? false : skipped
const lifetime = 600_000

const emptyFolder = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-redis-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const openStore = async (t: Test, url: string): Promise<Store> => {
  const redis = await prepareRedis(url)
  t.teardown(() => redis.close())
  await redis.open()
  return redis.createStore('test', Date.now)
}

/** Sets an entry as soon as that is possible. Whatever fails until then must be an outage. */
const setAgain = (t: Test, store: Store, key: string) =>
  eventually('the store to take writes again', () =>
    store.set(key, 'value', lifetime).then(
      () => true,
      (error: unknown) => {
        if (!isOutage(error)) t.fail(String(error))
        return undefined
      },
    ),
  )

/** Starts a Sentinel that watches `main`, and waits until it knows the replica, if there is one. */
const startSentinel = async (
  t: Test,
  main: RedisServer,
  { replicas = 0, tls }: { replicas?: number; tls?: Certificate },
) => {
  const file = join(emptyFolder(t), 'sentinel.conf')
  const port = tls ? main.tlsPort : main.port
  writeFileSync(
    file,
    `sentinel monitor main 127.0.0.1 ${port} 1
sentinel down-after-milliseconds main 1000
sentinel failover-timeout main 3000
`,
  )
  const secure = tls ? ['--tls-replication', 'yes'] : []
  const sentinel = await startRedis(t, { file, parameters: ['--sentinel', ...secure], tls })
  await eventually('the replica to be known', async () => {
    const known = (await sentinel.run('sentinel', 'replicas', 'main')) as unknown[]
    const { length } = (await main.run('role')) as unknown[]
    return known.length === replicas && length > 0 ? true : undefined
  })
  return sentinel
}

/** Starts three servers of a Cluster and waits until it is well. */
const startCluster = async (t: Test, tls?: Certificate): Promise<RedisServer[]> => {
  const parameters = [
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--cluster-require-full-coverage', 'no'],
    ...(tls ? ['--tls-cluster', 'yes'] : []),
  ]
  const nodes: RedisServer[] = []
  for (let index = 0; index < 3; index++) nodes.push(await startRedis(t, { parameters, tls }))
  const [first] = nodes
  for (const [index, node] of nodes.entries()) {
    const [from, to] = [index * 5500, index === 2 ? 16383 : index * 5500 + 5499]
    await node.run('cluster', 'addslotsrange', from, to)
    await node.run('cluster', 'meet', '127.0.0.1', (tls ? first?.tlsPort : first?.port) ?? 0)
  }
  await eventually('the Cluster', async () => {
    const states = await Promise.all(nodes.map(async (node) => (await node.run('cluster', 'info')) as string))
    return (
      states.every((state) => state.includes('cluster_state:ok') && state.includes('cluster_known_nodes:3')) ||
      undefined
    )
  })
  return nodes
}

test('after a failover Sentinel names the new server, and nothing is sent twice', { skip }, async (t) => {
  const main = await startRedis(t)
  const replica = await startRedis(t, { parameters: ['--replicaof', '127.0.0.1', String(main.port)] })
  const sentinel = await startSentinel(t, main, { replicas: 1 })
  const store = await openStore(t, `redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel.port}/main`)
  t.equal((await store.increment('count', 1, lifetime)).count, 1)
  await eventually('the replica to have it', async () =>
    ((await replica.run('keys', '*')) as string[]).length > 0 ? true : undefined,
  )
  await main.stop('SIGKILL')
  const failed = await store.increment('count', 1, lifetime).catch((error: unknown) => error)
  t.ok(isOutage(failed), String(failed))
  await setAgain(t, store, 'other')
  t.equal((await store.increment('count', 1, lifetime)).count, 2, 'the failed addition was not sent again')
  t.match(await replica.run('role'), ['master'])
})

test(
  'a Cluster: its keys are on one server, and it is used again after that server has failed',
  { skip },
  async (t) => {
    const nodes = await startCluster(t)
    const store = await openStore(t, `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`)
    await store.setMany(['one', 'two', 'three'], 'value', lifetime)
    t.equal((await store.getMany(['one', 'two', 'three', 'four'])).size, 3)
    t.equal((await store.increment('count', 3, lifetime)).count, 3)
    t.equal(await store.take('one'), 'value')
    const counts = await Promise.all(nodes.map(async (node) => ((await node.run('keys', '*')) as string[]).length))
    t.strictSame(counts.toSorted(), [0, 0, 3])
    const holder = nodes[counts.indexOf(3)]
    if (!holder) throw new Error('no server has the keys')
    for (const [fail, heal] of [
      [() => holder.pause(), () => holder.resume()],
      [() => holder.stop(), () => holder.start()],
    ] as const) {
      await fail()
      for (let count = 0; count < 5; count++) {
        const begin = performance.now()
        const error = await store.increment('count', 1, lifetime).catch((fault: unknown) => fault)
        t.ok(isOutage(error), String(error))
        t.ok(performance.now() - begin < 3000, 'in time')
      }
      await heal()
      await setAgain(t, store, 'other')
    }
  },
)

const createCertificate = (t: Test): Certificate => {
  const folder = emptyFolder(t)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const generated = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate]
  execFileSync('openssl', [...generated, ...subject], { stdio: 'ignore' })
  return { certificate, key }
}

/** Starts servers that speak TLS; returns the URL for the service, and the servers that may have its keys. */
type StartTls = (t: Test, tls: Certificate) => Promise<{ url: string; servers: RedisServer[] }>

const tlsServers: Record<string, StartTls> = {
  async 'one server'(t, tls) {
    const redis = await startRedis(t, { tls })
    return { url: `rediss://localhost:${redis.tlsPort}`, servers: [redis] }
  },
  async Sentinel(t, tls) {
    const main = await startRedis(t, { tls })
    const sentinel = await startSentinel(t, main, { tls })
    return { url: `rediss+sentinel://127.0.0.1:${sentinel.tlsPort}/main`, servers: [main] }
  },
  async 'a Cluster'(t, tls) {
    const servers = await startCluster(t, tls)
    return { url: `rediss+cluster://${servers.map(({ tlsPort }) => `localhost:${tlsPort}`).join(',')}`, servers }
  },
}

for (const [name, start] of Object.entries(tlsServers)) {
  test(`TLS with ${name}: a certificate that is trusted is accepted, and no other`, { skip }, async (t) => {
    const tls = createCertificate(t)
    const { url, servers } = await start(t, tls)
    await t.rejects(openStore(t, url), { message: /cannot be opened/ })
    const directory = await installedDirectory(t)
    const environment = { REDIS_URL: url, NODE_EXTRA_CA_CERTS: tls.certificate }
    const server = await startProcess(t, { directory, environment })
    expectSuccess(t, await server.signIn('admin', adminPassword))
    expectSuccess(t, await server.call('GET', '/auth/captcha'))
    const keys = await Promise.all(servers.map(async ({ run }) => (await run('keys', '*')) as string[]))
    t.ok(keys.flat().length > 0)
  })
}
