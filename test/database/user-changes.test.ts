import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../db/index.js'

/** A database with one user, and how to write to it and to read the log of changes as another process would. */
const open = async (t: Test) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  const migrate = async () => {
    const db = await openDatabase('sqlite:test.db', directory)
    await db.migrate()
    await db.close()
  }
  await migrate()
  const file = new Sqlite(join(directory, 'test.db'))
  t.teardown(() => {
    file.close()
    rmSync(directory, { recursive: true })
  })
  file.exec(`
    insert into tenants (id, tenant_name, tenant_name_key, enabled, create_time, update_time) values (1, 'A', 'a', 1, 1, 1);
    insert into users (id, tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
      force_password_change, create_time, update_time) values (7, 1, 'u', 'u', 'U', 'u', 2, 0, 1, 0, 1, 1)`)
  const newest = file.prepare('select max(seq) from user_changes').pluck()
  const kindsOf = (change: string) => {
    const last = newest.get()
    file.exec(change)
    return file.prepare('select kind from user_changes where user_id = 7 and seq > ?').pluck().all(last)
  }
  return { file, migrate, kindsOf }
}

const notListed = ['password_hash', 'password_time']
const ofSignIns = ['last_login_time', 'last_login_ip', 'login_count']

test('a change of any column of a user is logged, but for those that no list shows', async (t) => {
  const { file, kindsOf } = await open(t)
  const columns = file
    .prepare<[], string>(`select name from pragma_table_info('users') where name <> 'id'`)
    .pluck()
    .all()
  for (const column of columns) {
    const kind = ofSignIns.includes(column) ? 'sign_in' : 'account'
    const expected = notListed.includes(column) ? [] : [kind]
    t.strictSame(kindsOf(`update users set ${column} = ${column}`), expected, column)
  }
})

test('a column that is added later is logged from the next migration on', async (t) => {
  const { file, migrate, kindsOf } = await open(t)
  file.exec('alter table users add column nickname text')
  t.strictSame(kindsOf(`update users set nickname = 'one'`), [])
  await migrate()
  t.strictSame(kindsOf(`update users set nickname = 'two'`), ['account'])
  t.strictSame(kindsOf(`update users set remark = 'three'`), ['account'], 'once')
})
