import type { Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { readChanges, type AllChanges } from '../../../db/postgres/changes/changes-since.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { borrowMigrated } from '../../contract/engines.js'
import { createPool, runSql } from '../../helpers/databases/postgres.js'

export const addUsers = (count: number) => `
  insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
    force_password_change, create_time, update_time)
  select 1, 'u' || n, 'u' || n, 'U', 'u', 2, 0, 1, 0, 1, 1 from generate_series(1, ${count}) as n`

/** A database with a tenant, users from 1 on and a role, and one who asks what has changed since it asked before. */
export const openChangeLog = async (t: Test, count = 3, createUrl = borrowMigrated) => {
  const url = await createUrl(t)
  const database = await openDatabase(url, '/')
  t.teardown(() => database.close())
  await database.migrate()
  await runSql(
    url,
    `insert into tenants (tenant_name, tenant_name_key, enabled, create_time, update_time) values ('A', 'a', 1, 1, 1)`,
    addUsers(count),
    `insert into roles (tenant_id, role_key, role_name, create_time) values (1, 'reader', 'Reader', 1)`,
    `insert into user_roles values (1, 1)`,
    `insert into role_permissions values (1, 'system:user:list')`,
    `insert into sessions (id, user_id, tenant_id, user_client, generation, generation_time, login_ip, user_agent, create_time,
      last_active_time, idle_expiry, expiry) values ('s', 1, 1, 'pc', 1, 1, '', '', 1, 1, 9, 9)`,
  )
  const db = createKysely(createPool(url), createStatementNames())
  t.teardown(() => db.destroy())
  let { mark } = await readChanges(db, undefined)
  const ask = async (): Promise<AllChanges['changed']> => {
    const answer = await readChanges(db, mark)
    mark = answer.mark
    for (const ids of Object.values(answer.changed ?? {})) ids.sort((one, other) => one - other)
    return answer.changed
  }
  return { url, database, db, ask, markNow: () => mark, run: (...statements: string[]) => runSql(url, ...statements) }
}
