import { createServer } from 'node:net'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { prepareRedis } from '../../../db/index.js'
import { installedDirectory, startChild } from '../../helpers/processes/child.js'
import { createCli, expectRefusal } from '../../helpers/processes/cli.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { canStartRedis, skipped, startRedis } from '../../helpers/databases/redis.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const skip = (await canStartRedis()) ? false : skipped
const password = 'a-secret-word-of-redis'

/** Starts the service with this Redis, which is refused; resolves to what it says. */
const refusedStart = async (t: Test, url: string): Promise<string> => {
  const directory = await installedDirectory(t)
  const { code, stdout, stderr } = await startChild(t, 'server.js', [], {
    directory,
    environment: { REDIS_URL: url, PORT: '0' },
  }).ended
  t.equal(code, 1)
  t.notMatch(stdout, /ready/)
  t.notMatch(stdout + stderr, password)
  t.equal(stderr.trimEnd().split('\n').length, 1, 'one line')
  return stderr
}

test('a Redis that is not there, does not answer or refuses the password stops the start', { skip }, async (t) => {
  const said = await refusedStart(t, `redis://:${password}@127.0.0.1:1`)
  t.match(
    said,
    /^Redis redis:\/\/127\.0\.0\.1:1 cannot be opened: .*ECONNREFUSED.*\. Look at REDIS_URL \(redisUrl\)\.$/m,
  )
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { port } = silent.address() as { port: number }
  t.match(await refusedStart(t, `redis://:${password}@127.0.0.1:${port}`), /cannot be opened: Command timed out\./)
  t.match(await refusedStart(t, `redis+sentinel://:${password}@127.0.0.1:1/main`), /cannot be opened: .+/)
  const redis = await startRedis(t, { password: 'another' })
  t.match(await refusedStart(t, `redis://:${password}@127.0.0.1:${redis.port}`), /cannot be opened: WRONGPASS/)
  t.match(await refusedStart(t, `redis://127.0.0.1:${redis.port}`), /cannot be opened: NOAUTH/)
})

test('a start that is refused for another reason ends, although Redis answers', { skip }, async (t) => {
  const redis = await startRedis(t)
  const directory = await installedDirectory(t)
  const environment = { REDIS_URL: `redis://127.0.0.1:${redis.port}`, PORT: '0', ROLLCALL_SECRET: 'another'.repeat(8) }
  const { code, stderr } = await startChild(t, 'server.js', [], { directory, environment }).ended
  t.equal(code, 1)
  t.match(stderr, /master secret/)
})

for (const [what, url, message] of [
  ['two hosts without Sentinel', 'redis://:word@a,b', /several hosts need/],
  ['Sentinel without a name', 'redis+sentinel://:word@a,b', /the name that Sentinel gives the server is missing/],
  ['a Cluster with a database', 'redis+cluster://:word@a/1', /has no databases/],
  ['a name as database', 'redis://:word@a/main', /the number of the database, and nothing else/],
  ['a password with characters that are not encoded', 'redis://:ket/tle@a', /is not of the form/],
  ['a port that is none', 'redis://:kettle@a:port', /.+/],
] as const) {
  test(`${what} in the URL is refused without showing the password`, async (t) => {
    const error = (await prepareRedis(url).catch((fault: unknown) => fault)) as Error
    t.match(error.message, message)
    t.match(error.message, /Look at REDIS_URL/)
    t.notMatch(error.message, /ket\/?tle/)
  })
}

test('a command that needs no short-lived state runs without Redis, another one says why it does not', async (t) => {
  const cli = await createCli(t)
  const environment = { REDIS_URL: `redis://:${password}@127.0.0.1:1` }
  t.match(await cli.done('tenant list', { environment }), /Default/)
  expectRefusal(
    t,
    await cli.run('user unlock admin', { environment }),
    1,
    /Redis redis:\/\/127\.0\.0\.1:1 cannot be opened/,
  )
})

test('a Redis that deletes entries when it is full is warned of, and doctor says the same', { skip }, async (t) => {
  const redis = await startRedis(t, { password, parameters: ['--maxmemory-policy', 'allkeys-lru'] })
  const warnings = (server: TestServer) => server.log().match(/Redis deletes entries when its memory is full/g)?.length
  t.equal(warnings(await startServer(t, { settings: { redisUrl: redis.url } })), 1)
  const cli = await createCli(t)
  const environment = { REDIS_URL: redis.url }
  const first = await cli.run('doctor', { environment })
  t.match(first.stdout, /ok {6} redis: redis:\/\/127\.0\.0\.1:\d+ reads and writes in \d+ ms; version \d/)
  t.match(first.stdout, /warning {2}redis: maxmemory-policy is allkeys-lru/)
  await redis.run('config', 'set', 'maxmemory-policy', 'noeviction')
  t.notOk(warnings(await startServer(t, { settings: { redisUrl: redis.url } })))
  t.notMatch((await cli.run('doctor', { environment })).stdout, /maxmemory/)
  await redis.stop()
  const { code, stdout } = await cli.run('doctor', { environment })
  t.equal(code, 1)
  t.match(stdout, /fault {4}redis: Redis redis:\/\/127\.0\.0\.1:\d+ cannot be opened/)
  t.notMatch(stdout, password)
})

test(
  'short-lived state is in Redis only, below the name of the installation, and expires there',
  { skip },
  async (t) => {
    const redis = await startRedis(t)
    const server = await startServer(t, { settings: { redisUrl: redis.url } })
    await server.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong green teapot' } })
    expectSuccess(t, await server.call('GET', '/auth/captcha'))
    const keys = (await redis.run('keys', '*')) as string[]
    t.ok(keys.some((key) => key.includes('captcha-hash:')) && keys.some((key) => key.includes('attempts:')))
    for (const key of keys) {
      t.match(key, /^rollcall:\{[A-Za-z0-9_-]{16}\}:/)
      t.ok((await redis.run('pttl', key)) > 0, `${key} expires`)
    }
    const { all, close } = await connect(server.directory)
    const rows = await all<{ key: string }>('select key from store')
    await close()
    t.strictSame(
      rows.filter(({ key }) => /captcha|attempts/.test(key)),
      [],
    )
  },
)

test('installations with other master secrets share a Redis and nothing else', { skip }, async (t) => {
  const redis = await startRedis(t)
  const settings = { redisUrl: redis.url, captcha: { mode: 'never' } }
  const one = await startServer(t, { settings })
  const other = await startServer(t, { settings, isForeign: true })
  for (let count = 0; count < 5; count++) {
    const wrong = await one.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong green teapot' } })
    expectProblem(t, wrong, 'invalid_credentials')
  }
  const locked = await one.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong green teapot' } })
  expectProblem(t, locked, 'too_many_attempts')
  await other.signIn()
})

test('two servers on one Redis count requests, failures and captchas together', { skip }, async (t) => {
  const redis = await startRedis(t)
  const settings = { redisUrl: redis.url, rateLimits: { captcha: 6 } }
  const environment = { RATE_LIMITS: 'on', ROLLCALL_DEV_ECHO: '1' }
  const one = await startServer(t, { settings, environment })
  const file = join(one.directory, 'config.json')
  const database = (JSON.parse(readFileSync(file, 'utf8')) as { databaseUrl: string }).databaseUrl
  const two = await startServer(t, {
    data: one.directory,
    environment: { ...environment, DATABASE_URL: database.replace('sqlite:', `sqlite:${one.directory}/`) },
  })
  const { code, codeKey } = expectSuccess(t, await one.call('GET', '/auth/captcha'))
  const json = { username: 'admin', password: 'wrong green teapot', authType: 'password_captcha', code, codeKey }
  expectProblem(t, await two.call('POST', '/auth/login', { json }), 'invalid_credentials')
  expectProblem(t, await one.call('POST', '/auth/login', { json }), 'invalid_code')
  for (const server of [two, one, two, one, two]) expectSuccess(t, await server.call('GET', '/auth/captcha'))
  for (const server of [one, two]) expectProblem(t, await server.call('GET', '/auth/captcha'), 'too_many_requests')
  one.clock.advance(61)
  two.clock.advance(61)
  expectSuccess(t, await two.call('GET', '/auth/captcha'))
})
