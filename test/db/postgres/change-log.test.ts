import { Client } from 'pg'
import { test } from 'tap'
import { readChanges, type AllChanges, type Mark } from '../../../db/postgres/changes/changes-since.js'
import { isPostgresThere, skipped } from '../../helpers/databases/postgres.js'
import { createRandom } from '../../helpers/values/random.js'
import { addUsers, openChangeLog } from './open-change-log.js'

const skip = (await isPostgresThere()) ? false : skipped
const minute = 60_000

const changes: [name: string, statement: string, changed: AllChanges['changed']][] = [
  ['nothing', 'select 1', {}],
  ['a statement without rows', 'delete from role_permissions where role_id = 7', {}],
  ['equal values', 'update users set username = username', {}],
  ['a new user', addUsers(4).replace('series(1', 'series(4'), { account: [4] }],
  ['a name', `update users set real_name = 'V' where id < 3`, { name: [1, 2] }],
  ['a status', 'update users set user_status = 0 where id = 2', { status: [2] }],
  [
    'a sign-in',
    'update users set login_count = 1, last_login_time = 1, last_login_ip = $$$$ where id = 3',
    { sign_in: [3] },
  ],
  ['a password', `update users set password_hash = 'x' where id = 3`, { password: [3] }],
  ['a password that must be changed', `update users set force_password_change = 1 where id = 3`, { profile: [3] }],
  ['a remark', `update users set remark = 'x', update_time = 2 where id = 3`, { profile: [3] }],
  ['a phone number', `update users set phone = '1', phone_key = '1' where id = 3`, { contact: [3] }],
  ['a name and a status', `update users set username = 'v', user_type = 1 where id = 3`, { name: [3], status: [3] }],
  ['another moment of creation', 'update users set create_time = 5 where id = 3', { account: [3] }],
  ['another id', 'update users set id = 9 where id = 3', { account: [3, 9] }],
  ['a user that is gone', 'delete from users where id = 1', { account: [1], roles: [1], session: [1] }],
  ['a role that is given', 'insert into user_roles values (2, 1)', { roles: [2] }],
  ['a role that is taken', 'delete from user_roles', { roles: [1] }],
  ['a role that moves on', 'update user_roles set user_id = 3', { roles: [1, 3] }],
  [
    'a new session',
    `insert into sessions (id, user_id, tenant_id, user_client, generation, generation_time, login_ip, user_agent, create_time,
      last_active_time, idle_expiry, expiry) select 'other', 2, 1, 'pc', 1, 1, '', '', 1, 1, 9, 9 from sessions`,
    {},
  ],
  ['a session that ends', `update sessions set end_reason = 'logout'`, { session: [1] }],
  ['a session that is gone', 'delete from sessions', { session: [1] }],
  ['a new role', `insert into roles (tenant_id, role_key, role_name, create_time) values (1, 'b', 'B', 1)`, {}],
  ['the name of a role', `update roles set role_key = 'b'`, { names: [0] }],
  ['a role that is gone', 'delete from user_roles; delete from roles', { roles: [1], names: [0], permissions: [0] }],
  ['a permission', `insert into role_permissions values (1, 'a:b:c'), (1, 'a:b:d')`, { permissions: [0] }],
  ['a permission that is taken', 'delete from role_permissions', { permissions: [0] }],
  ['the name of a tenant', `update tenants set tenant_name = 'B'`, { names: [0] }],
  ['the key of the name of a tenant', `update tenants set tenant_name_key = 'c'`, { names: [0] }],
  ['a disabled tenant', 'update tenants set enabled = 0', { tenant: [0] }],
  ['a tenant that requires a second factor', 'update tenants set second_factor_required = 1', { tenant: [0] }],
  ['two changes of a tenant', `update tenants set tenant_name = 'B', enabled = 0`, { names: [0], tenant: [0] }],
  ['what nobody reads of a tenant', 'update tenants set update_time = 5', {}],
  ['an empty table', 'truncate sessions', { session: [0] }],
  ['a change that is taken back', `begin; delete from users; rollback`, {}],
]
for (const [name, statement, changed] of changes) {
  test(`the log tells ${name}`, { skip }, async (t) => {
    const { ask, run } = await openChangeLog(t)
    await run(statement)
    const found = await ask()
    for (const ids of Object.values(found ?? {})) ids.sort((a, b) => a - b)
    t.strictSame(found, changed)
    t.strictSame(await ask(), {}, 'once')
  })
}

test('a writer with another search path is logged', { skip }, async (t) => {
  const { ask, run } = await openChangeLog(t)
  await run('set search_path to pg_catalog', 'update public.users set gender = 1 where id = 2')
  t.strictSame(await ask(), { profile: [2] })
})

test('a statement that changes more than 2,000 rows is a change of everybody', { skip }, async (t) => {
  const { ask, run } = await openChangeLog(t, 2001)
  await run('update users set gender = 1 where id <= 2000')
  t.equal((await ask())?.profile?.length, 2000)
  await run('update users set gender = 2')
  t.strictSame(await ask(), { account: [0] })
  await run('insert into user_roles select id, 1 from users on conflict do nothing')
  t.equal((await ask())?.roles?.length, 2000)
  await run('delete from user_roles')
  t.strictSame(await ask(), { roles: [0] })
})

test('nothing is known of more than 20,000 changes, without a mark, and after five minutes', { skip }, async (t) => {
  const { ask, run, db, markNow } = await openChangeLog(t, 20_001)
  for (let last = 0; last < 20_000; last += 2000) {
    await run(`update users set gender = 1 where id > ${last} and id <= ${last + 2000}`)
  }
  const before = markNow()
  t.equal((await ask())?.profile?.length, 20_000)
  await run('update users set gender = 1 where id = 20001')
  t.equal((await readChanges(db, before)).changed, null)
  t.equal((await readChanges(db, undefined)).changed, null)
  const now = markNow()
  const aged = (age: number): Mark => ({ ...now, time: now.time - age })
  t.strictSame((await readChanges(db, aged(4 * minute))).changed, { profile: [20_001] })
  t.equal((await readChanges(db, aged(5 * minute + 1))).changed, null)
})

test(
  'no change is left out or told twice, in whatever order transactions begin and are committed',
  { skip },
  async (t) => {
    const { url, ask } = await openChangeLog(t, 100)
    const random = createRandom(7)
    const clients = Array.from({ length: 6 }, () => new Client({ connectionString: url }))
    await Promise.all(clients.map((client) => client.connect()))
    t.teardown(() => Promise.all(clients.map((client) => client.end())))
    /** The users whom the open transaction of a client has changed. */
    const openChanges = new Map<Client, Set<number>>()
    let committed = new Set<number>()
    const steps: Record<string, (client: Client) => Promise<void>> = {
      async change(client) {
        if (!openChanges.has(client)) await client.query('begin')
        // Each client has users of its own, so that none waits for another.
        const id = 1 + clients.indexOf(client) + clients.length * random.below(16)
        await client.query('savepoint one')
        await client.query(`update users set login_count = login_count + 1 where id = $1`, [id])
        const isKept = random.chance(0.8)
        if (!isKept) await client.query('rollback to savepoint one')
        const changed = openChanges.get(client) ?? new Set()
        openChanges.set(client, isKept ? changed.add(id) : changed)
      },
      async commit(client) {
        if (!openChanges.has(client)) return
        await client.query('commit')
        committed = new Set([...committed, ...(openChanges.get(client) ?? [])])
        openChanges.delete(client)
      },
      async rollback(client) {
        if (!openChanges.has(client)) return
        await client.query('rollback')
        openChanges.delete(client)
      },
      async ask() {
        const told = (await ask())?.sign_in ?? []
        t.strictSame(told.toSorted(), [...committed].toSorted())
        committed = new Set()
      },
    }
    const names = ['change', 'change', 'change', 'commit', 'rollback', 'ask']
    for (let step = 0; step < 600; step++) await steps[random.pick(names)]?.(random.pick(clients))
  },
)
