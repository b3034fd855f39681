import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { parallel } from '../../helpers/values/compare.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const start = async (t: Test) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1' },
    settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 100 } },
  })
  const attempt = (username: string, address = '192.0.2.1', more: object = {}, userAgent = 'Browser/1.0') =>
    server.call('POST', '/auth/login', {
      json: { username, password: 'x', ...more },
      headers: { 'x-forwarded-for': address, 'user-agent': userAgent },
    })
  const list = () => server.app.loginLog.list({ refusedOnly: false, limit: 10_000 })
  return { server, attempt, list }
}

test('equal refusals of an hour are one row with a count, the time of the first and that of the latest', async (t) => {
  const { server, attempt, list } = await start(t)
  const first = server.clock.now()
  for (let count = 0; count < 5; count++) {
    server.clock.advance(60)
    await attempt('admin', '192.0.2.1', {}, `Browser/${count}`)
  }
  t.match(await list(), [{ subject: 'admin', tries: 5, firstTime: first + 60_000, time: first + 300_000 }])
  server.clock.advance(3600)
  await attempt('admin')
  t.match(
    (await list()).map(({ tries }) => tries),
    [1, 5],
    'a new hour begins a new row',
  )
})

test('what differs for whoever reads the log is a row of its own', async (t) => {
  const { server, attempt, list } = await start(t)
  await server.addUser('alice')
  await attempt('admin')
  await attempt('alice')
  await attempt('admin', '192.0.2.2')
  await attempt('admin', '192.0.2.1', { userClient: 'app' })
  await attempt('admin', '192.0.2.1', { authType: 'password_captcha' })
  await attempt('admin', '192.0.2.1', { tenantId: 2 })
  t.same(
    (await list()).map(({ tries }) => tries),
    [1, 1, 1, 1, 1, 1],
  )
  await attempt('admin', '2001:db8::1')
  await attempt('admin', '2001:db8::2')
  const [subscriber] = await list()
  t.match(subscriber, { address: '2001:db8::1', tries: 2 }, 'an IPv6 subscriber is one')
})

test('of 40 equal refusals in parallel none is lost, and they are one row', async (t) => {
  const { attempt, list } = await start(t)
  await parallel(40, () => attempt('admin'))
  const rows = await list()
  t.equal(
    rows.reduce((sum, { tries }) => sum + tries, 0),
    40,
  )
  t.ok(rows.length <= 2, 'wrong passwords, and pauses')
})

test('an address that makes up new names gets 50 rows in an hour, and one for all the others', async (t) => {
  const { server, attempt, list } = await start(t)
  const name = (index: number) => String.fromCodePoint(0x4e00 + index)
  for (let index = 0; index < 150; index++) await attempt(name(index), '192.0.2.1', { tenantId: (index % 7) + 1 })
  const rows = await list()
  t.equal(rows.length, 51)
  t.match(rows[0], { subject: '******', tenantId: 0, address: '192.0.2.1', tries: 100, reason: 'invalid_credentials' })
  await attempt('admin', '192.0.2.2')
  t.match(
    (await list())[0],
    { subject: 'admin', address: '192.0.2.2', tries: 1 },
    'other addresses have rows of their own',
  )
  await attempt(name(0))
  t.equal((await list()).length, 52, 'and what has a row already is counted there')
  server.clock.advance(3600)
  await attempt(name(200))
  t.match((await list())[0], { subject: `${name(200)}******`, tries: 1 })
})

test('all addresses together get 1000 rows in an hour; successes always have theirs', async (t) => {
  const { server, list } = await start(t)
  const event = { tenantId: 1, authType: 'password', userClient: 'pc', userAgent: '' }
  for (let index = 0; index < 1200; index++) {
    const address = `198.51.${Math.floor(index / 250)}.${index % 250}`
    await server.app.loginLog.refused(
      { ...event, subject: { kind: 'username', text: 'admin' }, address },
      'invalid_credentials',
    )
  }
  const rows = await list()
  t.equal(rows.length, 1001)
  t.equal(
    rows.reduce((sum, { tries }) => sum + tries, 0),
    1200,
  )
  t.match(rows[0], { subject: '******', address: '******', tries: 200 })
  await server.signIn('admin', adminPassword)
  t.match(
    (await list()).find(({ reason }) => reason === null),
    { subject: 'admin', userId: 1, tries: 1 },
  )
})

test('2,000 refused tries leave less than 200 KiB', onSqliteOnly, async (t) => {
  const { server } = await start(t)
  const file = new Sqlite(join(server.directory, 'rollcall.db'))
  t.teardown(() => file.close())
  const size = () => Number(file.pragma('page_count', { simple: true })) * 4096
  const event = { tenantId: 1, authType: 'password', userClient: 'pc', userAgent: 'x'.repeat(200) }
  const before = size()
  for (let index = 0; index < 2000; index++) {
    const subject = { kind: 'username', text: `${String.fromCodePoint(0x4e00 + index)}name` } as const
    await server.app.loginLog.refused({ ...event, subject, address: `192.0.2.${index % 4}` }, 'too_many_attempts')
  }
  const grown = size() - before
  t.comment(`${grown} bytes`)
  t.ok(grown < 200 * 1024, `${grown} bytes`)
})
