import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { purge } from '../helpers/databases/purge.js'

const entries = `
  insert into store values ('captcha:one', 'answer', 2000), ('attempts:two', '3', 5000)`

test('short-lived state of an older database is kept when it is migrated', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last: '0006-password-time' })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(entries)
  file.close()

  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  const pending = await db.pendingMigrations()
  t.equal(pending[0], '0007-store-in-its-key')
  t.strictSame(await db.migrate(), pending)
  t.strictSame(await db.migrate(), [], 'once')
  const store = db.createStore(() => 1000)
  t.equal(await store.take('captcha:one'), 'answer')
  t.equal(await store.take('captcha:one'), undefined)
  t.strictSame(await store.increment('attempts:two', 1, 60_000), { count: 4, expiry: 5000 })
  t.strictSame(await store.increment('attempts:new', 1, 60_000), { count: 1, expiry: 61_000 })
  t.equal(await purge(db, 'store', 5000, 10), 1, 'what has expired is found')
})

/** Of an older version: one whose successor nobody has used, and one that is as the sign-in left it. */
const sessions = `
  insert into sessions (id, user_id, tenant_id, user_client, generation, login_ip, user_agent, create_time, last_active_time, idle_expiry, expiry)
    values ('refreshed', 1, 1, 'pc', 2, '', '', 1000, 3000, 90000, 90000), ('fresh', 1, 1, 'pc', 1, '', '', 1000, 1000, 90000, 90000)`

test('sessions of an older database belong to no device, and their tokens are as old as their last activity', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last: '0007-store-in-its-key' })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.pragma('foreign_keys = off')
  file.exec(sessions)
  file.close()

  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  await db.migrate()
  const live = await db.sessions.live(1, 4000)
  t.strictSame(
    live.map(({ id, generationTime, deviceId }) => ({ id, generationTime, deviceId })),
    [
      { id: 'fresh', generationTime: 1000, deviceId: null },
      { id: 'refreshed', generationTime: 3000, deviceId: null },
    ],
  )
})

/** Of an older version: it knew no counts. */
const refusal = `
  insert into login_log (time, tenant_id, subject, auth_type, user_client, address, user_agent, reason)
    values (1000, 1, 'alice', 'password', 'pc', '192.0.2.1', '', 'invalid_credentials')`

test('a refusal in the login log of an older database stands for one try', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last: '0008-session-devices' })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(refusal)
  file.close()

  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  await db.migrate()
  const [event] = await db.loginLog.list({ refusedOnly: true, limit: 10 })
  t.match(event, { subject: 'alice', time: 1000, firstTime: 1000, tries: 1, reason: 'invalid_credentials' })
})

/** As it was: ẞ was folded to ß, which no other letter was. */
const insertOld = (
  file: Sqlite.Database,
  id: number,
  tenantId: number,
  username: string,
  key: string,
  email?: string,
) =>
  file
    .prepare(
      `insert into users (id, tenant_id, username, username_key, real_name, real_name_key, user_type, gender,
        user_status, force_password_change, create_time, update_time, email, email_key)
        values (?, ?, ?, ?, ?, ?, 2, 0, 1, 0, 1, 1, ?, ?)`,
    )
    .run(id, tenantId, username, key, username, key, email ?? null, email === undefined ? null : `${key}@x.org`)

test('keys of an older database are folded anew; whoever has the name of somebody else then gets another, and is told', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last: '0009-counted-refusals' })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(`insert into tenants (id, tenant_name, tenant_name_key, enabled, create_time, update_time) values
    (1, 'Straße', 'strasse', 1, 1, 1), (2, 'STRAẞE', 'straße', 1, 1, 1), (3, 'ẞ', 'ß', 1, 1, 1)`)
  insertOld(file, 1, 1, 'Weiß', 'weiss', 'Weiß@x.org')
  insertOld(file, 2, 1, 'WEIẞ', 'weiß', 'WEIẞ@x.org')
  insertOld(file, 3, 2, 'WEIẞ', 'weiß', 'WEIẞ@x.org')
  insertOld(file, 4, 2, 'plain', 'plain')
  file.close()

  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  const told: string[] = []
  await db.migrate({ report: (line) => told.push(line) })
  t.strictSame(told, [
    'User 2 of tenant 1 has the same name as user 1 and is called WEIẞ~2 now.',
    'User 2 of tenant 1 has the e-mail address of user 1 and cannot sign in by it any more.',
    'Tenant 2 has the same name as tenant 1 and is called STRAẞE~2 now.',
  ])
  const idOf = async (tenantId: number, name: string) => (await db.users.findByUsername(tenantId, name))?.id
  t.equal(await idOf(1, 'weiß'), 1)
  t.equal(await idOf(1, 'WEIẞ'), 1)
  t.equal(await idOf(1, 'WEIẞ~2'), 2)
  t.equal(await idOf(2, 'weiss'), 3)
  t.equal(await idOf(2, 'plain'), 4)
  t.equal((await db.users.findByEmail(1, 'WEIẞ@X.ORG'))?.id, 1)
  t.equal((await db.users.findByEmail(2, 'weiss@x.org'))?.id, 3)
  t.match(await db.users.findByUsername(1, 'WEIẞ~2'), { email: 'WEIẞ@x.org', realName: 'WEIẞ' })
  t.equal((await db.tenants.findByName('STRASSE'))?.id, 1)
  t.equal((await db.tenants.findByName('straẞe~2'))?.id, 2)
  t.equal((await db.tenants.findByName('ss'))?.id, 3)
})

test('sessions of an older database end with any unlinked identity of their user, and with none of others', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last: '0010-refolded-keys' })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.pragma('foreign_keys = off')
  file.exec(`${sessions};
    update sessions set user_id = 2 where id = 'fresh';
    insert into identities (id, user_id, tenant_id, platform, issuer, subject, create_time) values (7, 1, 1, 'p', 'i', 's', 1000)`)
  file.close()

  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  await db.migrate()
  const live = async () => [await db.sessions.live(1, 4000), await db.sessions.live(2, 4000)].map((all) => all.length)
  await db.sessions.endOfIdentities(2, [7], 4000)
  t.strictSame(await live(), [1, 1])
  await db.sessions.endOfIdentities(1, [7], 4000, 'refreshed')
  t.strictSame(await live(), [1, 1], 'but for that of the caller')
  await db.sessions.endOfIdentities(1, [7], 4000)
  t.strictSame(await live(), [0, 1])
})

test('a migration that fails leaves nothing behind, and runs when the fault is gone', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  await db.migrate({ last: '0012-verified-contacts' })
  const file = new Sqlite(join(directory, 'test.db'))
  t.teardown(() => file.close())
  const tables = () => file.prepare('select name from sqlite_schema order by name').all()
  // The second table that 0014 creates.
  file.exec('create table user_name_changes (other text)')
  const before = tables()
  await t.rejects(db.migrate(), /user_name_changes already exists/)
  t.strictSame(tables(), before, 'not even of the migrations that ran before it')
  const pending = await db.pendingMigrations()
  t.equal(pending[0], '0013-imports')
  file.exec('drop table user_name_changes')
  t.strictSame(await db.migrate(), pending)
})

test('of two processes that migrate at once one does, and the other waits for it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const both = await Promise.all([1, 2].map(() => openDatabase('sqlite:test.db', directory)))
  t.teardown(() => Promise.all(both.map((db) => db.close())))
  const ran = await Promise.all(both.map((db) => db.migrate()))
  t.equal(new Set(ran.flat()).size, ran.flat().length, 'each migration once')
  t.equal(ran.filter((names) => names.some((name) => !name.includes('/'))).length, 1, 'those of the house by one')
  t.ok(ran.flat().length > 15)
  for (const db of both) t.strictSame(await db.pendingMigrations(), [])
})

test('a database that has only been migrated is closed: its log is moved to the file', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const db = await openDatabase('sqlite:test.db', directory)
  await db.migrate()
  await db.close()
  t.strictSame(readdirSync(directory), ['test.db'])
  const unused = await openDatabase('sqlite:test.db', directory)
  await unused.close()
  t.strictSame(readdirSync(directory), ['test.db'], 'so is one that nobody has asked anything')
})
