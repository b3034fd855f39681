import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../../db/index.js'

/** The table of short-lived state as it was before `0007-store-in-its-key`. */
const formerStore = `
  drop table store;
  create table store (key text primary key, value text not null, expiry bigint not null);
  create index store_by_expiry on store (expiry);
  insert into store values ('captcha:one', 'answer', 2000), ('attempts:two', '3', 5000);
  delete from kysely_migration where name = '0007-store-in-its-key';`

test('short-lived state of an older database is kept when it is migrated', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = openDatabase('sqlite:test.db', directory)
  await create.migrate()
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(formerStore)
  file.close()

  const db = openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  t.strictSame(await db.pendingMigrations(), ['0007-store-in-its-key'])
  t.strictSame(await db.migrate(), ['0007-store-in-its-key'])
  t.strictSame(await db.migrate(), [], 'once')
  const store = db.createStore(() => 1000)
  t.equal(await store.take('captcha:one'), 'answer')
  t.equal(await store.take('captcha:one'), undefined)
  t.strictSame(await store.increment('attempts:two', 1, 60_000), { count: 4, expiry: 5000 })
  t.strictSame(await store.increment('attempts:new', 1, 60_000), { count: 1, expiry: 61_000 })
  t.equal(await db.createStore(() => 5000).purge(10), 1, 'what has expired is found')
})
