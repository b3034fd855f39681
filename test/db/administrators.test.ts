import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../../db/index.js'

/** Ordinary users who have the role of the administrators. */
const count = 100_000
const permissions = ['*:*:*']

/** The processor time of `work`, which is the least of several tries. Milliseconds. */
const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let tries = 0; tries < 5; tries++) {
    const start = process.cpuUsage()
    for (let time = 0; time < 5; time++) await work()
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

test('the last administrator is found among many users who have the role', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  await db.migrate()
  const file = new Sqlite(join(directory, 'test.db'))
  file.pragma('synchronous = off')
  file.exec(`
    insert into tenants (id, tenant_name, tenant_name_key, enabled, create_time, update_time) values (1, 'A', 'a', 1, 1, 1);
    insert into roles (id, tenant_id, role_key, role_name, create_time) values (1, 1, 'admin', 'Admin', 1);
    insert into role_permissions (role_id, permission) values (1, '*:*:*');
    with recursive number(n) as (select 1 union all select n + 1 from number where n <= ${count})
    insert into users (id, tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
      force_password_change, create_time, update_time)
    select n, 1, 'user' || n, 'user' || n, '', '', iif(n > ${count}, 0, 2), 0, 1, 0, n, n from number;
    insert into user_roles (user_id, role_id) select id, 1 from users`)
  const hasAdministrator = async (...wanted: string[]) => !(await db.roles.administrators(wanted).next()).done
  t.equal(await hasAdministrator(...permissions), true)
  t.equal(await hasAdministrator('other:*:*'), false, 'who has none of the permissions is none')
  const search = await timeOf(() => hasAdministrator(...permissions))
  const oneUser = await timeOf(() => db.users.find(count))
  t.ok(search < 50 * Math.max(oneUser, 0.1), `${search} ms, where reading a user takes ${oneUser} ms`)

  file.exec(`update users set user_status = 0 where id > ${count}`)
  file.close()
  t.equal(await hasAdministrator(...permissions), false, 'a disabled one does not count')
})
