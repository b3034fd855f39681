import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'

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

const kindsOfColumns: Record<string, string | undefined> = {
  username: 'name',
  username_key: 'name',
  real_name: 'name',
  real_name_key: 'name',
  phone: 'contact',
  phone_key: 'contact',
  email: 'contact',
  email_key: 'contact',
  user_type: 'status',
  user_status: 'status',
  gender: 'profile',
  avatar: 'profile',
  force_password_change: 'profile',
  remark: 'profile',
  has_second_factor: 'account',
  banned_until: 'account',
  ban_reason: 'account',
  invited_time: 'account',
  language: 'account',
  update_time: 'profile',
  last_login_time: 'sign_in',
  last_login_ip: 'sign_in',
  login_count: 'sign_in',
  tenant_id: 'account',
  create_time: 'account',
  // No list shows them.
  password_hash: undefined,
  password_time: undefined,
}

test('a change of any column of a user is logged once, by what it can move; the same value again is none', async (t) => {
  const { file, kindsOf } = await open(t)
  file.exec(`insert into tenants (id, tenant_name, tenant_name_key, enabled, create_time, update_time)
    values (3, 'C', 'c', 1, 1, 1)`)
  const columns = file
    .prepare<[], string>(`select name from pragma_table_info('users') where name <> 'id'`)
    .pluck()
    .all()
  t.strictSame(columns.toSorted(), Object.keys(kindsOfColumns).toSorted())
  for (const column of columns) {
    const kind = kindsOfColumns[column]
    t.strictSame(kindsOf(`update users set ${column} = 3`), kind === undefined ? [] : [kind], column)
    t.strictSame(kindsOf(`update users set ${column} = 3`), [], `${column} again`)
    t.strictSame(kindsOf(`update users set ${column} = 1`), kind === undefined ? [] : [kind], `${column} back`)
  }
})

test('a column that is added later is logged from the next migration on', async (t) => {
  const { file, migrate, kindsOf } = await open(t)
  file.exec('alter table users add column nickname text')
  t.strictSame(kindsOf(`update users set nickname = 'one'`), [])
  await migrate()
  t.strictSame(kindsOf(`update users set nickname = 'two'`), ['account'])
  t.strictSame(kindsOf(`update users set nickname = 'three', tenant_id = tenant_id`), ['account'], 'once')
})
