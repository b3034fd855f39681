import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../../db/index.js'

const entries = `
  insert into store values ('captcha:one', 'answer', 2000), ('attempts:two', '3', 5000)`

test('short-lived state of an older database is kept when it is migrated', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = openDatabase('sqlite:test.db', directory)
  await create.migrate('0006-password-time')
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(entries)
  file.close()

  const db = openDatabase('sqlite:test.db', directory)
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
  t.equal(await db.createStore(() => 5000).purge(5000, 10), 1, 'what has expired is found')
})

/** Of an older version: one whose successor nobody has used, and one that is as the sign-in left it. */
const sessions = `
  insert into sessions (id, user_id, tenant_id, user_client, generation, login_ip, user_agent, create_time, last_active_time, idle_expiry, expiry)
    values ('refreshed', 1, 1, 'pc', 2, '', '', 1000, 3000, 90000, 90000), ('fresh', 1, 1, 'pc', 1, '', '', 1000, 1000, 90000, 90000)`

test('sessions of an older database belong to no device, and their tokens are as old as their last activity', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = openDatabase('sqlite:test.db', directory)
  await create.migrate('0007-store-in-its-key')
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.pragma('foreign_keys = off')
  file.exec(sessions)
  file.close()

  const db = openDatabase('sqlite:test.db', directory)
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
  const create = openDatabase('sqlite:test.db', directory)
  await create.migrate('0008-session-devices')
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(refusal)
  file.close()

  const db = openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  await db.migrate()
  const [event] = await db.loginLog.list({ refusedOnly: true, limit: 10 })
  t.match(event, { subject: 'alice', time: 1000, firstTime: 1000, tries: 1, reason: 'invalid_credentials' })
})
