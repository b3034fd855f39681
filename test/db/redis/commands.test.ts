import { test, type Test } from 'tap'
import { installedDirectory, startChild } from '../../helpers/processes/child.js'
import { createCli } from '../../helpers/processes/cli.js'
import { readDocument } from '../../helpers/documents/documents.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { startProcess } from '../../helpers/processes/process.js'
import { canStartRedis, skipped, startRedis } from '../../helpers/databases/redis.js'

const skip = (await canStartRedis()) ? false : skipped
const password = 'a-secret-word-of-redis'

/** The commands on the page, which it says are enough. */
const documented = (): string[] => {
  const [, line = ''] = /It uses these commands: ([^.]+)\./.exec(readDocument('docs/redis.md')) ?? []
  return [...line.matchAll(/`([A-Z ]+)`/g)].map(([, name = '']) => name.toLowerCase())
}

const startWith = async (t: Test, commands: string[]) => {
  const redis = await startRedis(t)
  await redis.run(
    'acl',
    'setuser',
    'app',
    'on',
    `>${password}`,
    '~rollcall:*',
    '-@all',
    ...commands.map((name) => `+${name}`),
  )
  return { redis, url: `redis://app:${password}@127.0.0.1:${redis.port}` }
}

const serve = async (t: Test, url: string) => {
  const directory = await installedDirectory(t)
  const server = await startProcess(t, { directory, environment: { REDIS_URL: url } })
  t.notMatch(server.output.stderr, /ready check/)
  return server
}

/** The start and `doctor` refuse this Redis in one line. */
const expectRefused = async (t: Test, url: string, message: RegExp): Promise<void> => {
  const directory = await installedDirectory(t)
  const environment = { REDIS_URL: url, PORT: '0' }
  const { child, ended } = startChild(t, 'server.js', [], { directory, environment })
  child.stdout.on('data', (text: string) => text.includes('is ready') && child.kill())
  const { code, stderr } = await ended
  t.equal(code, 1)
  t.match(stderr, message)
  t.match(stderr, /^Redis redis:\/\/127\.0\.0\.1:\d+\S* cannot be opened: [^\n]+ Look at REDIS_URL \(redisUrl\)\.\n$/)
  t.notMatch(stderr, password)
  const { run } = await createCli(t)
  const { findings } = JSON.parse((await run('doctor --json', { environment })).stdout) as { findings: any[] }
  t.match(
    findings.filter(({ check }) => check === 'redis'),
    [{ level: 'fault', message }],
  )
}

test(
  'the commands that the page lists are enough to serve, and no key is left of the check at the start',
  { skip },
  async (t) => {
    t.ok(documented().length >= 7, documented().join())
    const { redis, url } = await startWith(t, documented())
    const server = await serve(t, `${url}/0`)
    t.same(await redis.run('keys', '*start*'), [])
    expectSuccess(t, await server.signIn('admin', adminPassword))
    expectSuccess(t, await server.call('GET', '/auth/captcha'))
    t.equal((await server.signIn('admin', 'wrong green teapot')).body.data.reason, 'invalid_credentials')
    const refused = ((await redis.run('acl', 'log')) as string[][]).map((entry) => entry[entry.indexOf('object') + 1])
    t.same([...new Set(refused)], ['info'], 'nothing else was refused')
    await server.stop()
    await serve(t, `${url}/3`)
  },
)

test('each of these commands is asked for at the start', { skip }, async (t) => {
  for (const missing of documented().filter((name) => !['select', 'evalsha'].includes(name))) {
    const { url } = await startWith(
      t,
      documented().filter((name) => name !== missing),
    )
    await expectRefused(t, url, new RegExp(`NOPERM .*'${missing}' command|can't run this command`))
  }
})

test('a Redis that tells nothing of itself serves, and doctor says so', { skip }, async (t) => {
  const { url } = await startWith(t, documented())
  const server = await serve(t, url)
  await server.stop()
  const { run } = await createCli(t)
  const { stdout } = await run('doctor', { environment: { REDIS_URL: url } })
  t.match(stdout, /^ok {6} redis: \S+ reads and writes in \d+ ms; it does not tell its version$/m)
})

test('a database with a number that the server does not have is refused', { skip }, async (t) => {
  const redis = await startRedis(t)
  await expectRefused(t, `${redis.url}/99`, /cannot be opened: ERR DB index is out of range/)
  await serve(t, `${redis.url}/15`)
  t.same(await redis.run('keys', '*'), [], 'nothing is in another database')
})
