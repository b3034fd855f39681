import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { readChanges, type Changes, type Mark } from '../../../db/postgres/changes/changes-since.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { borrowMigrated } from '../../contract/engines.js'
import { createPool, createPostgres, isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import { createRandom } from '../../helpers/values/random.js'

const skip = (await isPostgresThere()) ? false : skipped
const minute = 60_000

const addUsers = (count: number) => `
  insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
    force_password_change, create_time, update_time)
  select 1, 'u' || n, 'u' || n, 'U', 'u', 2, 0, 1, 0, 1, 1 from generate_series(1, ${count}) as n`

/** A database with a tenant, users from 1 on and a role, and one who asks what has changed since it asked before. */
const open = async (t: Test, count = 3, createUrl = borrowMigrated) => {
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
  const ask = async (): Promise<Changes['changed']> => {
    const answer = await readChanges(db, mark)
    mark = answer.mark
    for (const ids of Object.values(answer.changed ?? {})) ids.sort((one, other) => one - other)
    return answer.changed
  }
  return { url, database, db, ask, markNow: () => mark, run: (...statements: string[]) => runSql(url, ...statements) }
}

/** The same in a database whose schema may be changed. */
const openOwn = (t: Test) => open(t, 3, createPostgres)

/** Waits for transactions that began before, also those of other tests in other databases: the oldest one decides what has ended. */
const othersEnded = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const ask = async (what: string) =>
      BigInt((await client.query(`select ${what}(pg_current_snapshot())::text as xid`)).rows[0].xid)
    const next = await ask('pg_snapshot_xmax')
    while ((await ask('pg_snapshot_xmin')) < next) await setTimeout(10)
  } finally {
    await client.end()
  }
}

const changes: [name: string, statement: string, changed: Changes['changed']][] = [
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
  ['a disabled tenant', 'update tenants set enabled = 0', { tenant_enabled: [0] }],
  ['an empty table', 'truncate sessions', { session: [0] }],
  ['a change that is taken back', `begin; delete from users; rollback`, {}],
]
for (const [name, statement, changed] of changes) {
  test(`the log tells ${name}`, { skip }, async (t) => {
    const { ask, run } = await open(t)
    await run(statement)
    const found = await ask()
    for (const ids of Object.values(found ?? {})) ids.sort((a, b) => a - b)
    t.strictSame(found, changed)
    t.strictSame(await ask(), {}, 'once')
  })
}

test(
  'a column that is added later is logged from the next migration on, a change of the account',
  { skip },
  async (t) => {
    const { ask, run, database } = await openOwn(t)
    await run('alter table users add column nickname text')
    t.strictSame(await ask(), {})
    await database.migrate()
    await run(`update users set nickname = 'al' where id = 2`)
    t.strictSame(await ask(), { account: [2] })
    await run(`update users set nickname = 'al', gender = 1 where id < 3`)
    t.strictSame(await ask(), { account: [1], profile: [1, 2] })
  },
)

test('columns of any name and type can be added, and columns be dropped', { skip }, async (t) => {
  const { ask, run, database } = await openOwn(t)
  const added = ['"extraInfo" json', 'kind text', 'is_changed boolean', '"my ""col" point', '"select" xml']
  for (const column of added) await run(`alter table users add column ${column}`)
  await database.migrate()
  await run(
    `update users set "extraInfo" = '{"a": 1}' where id = 1`,
    `update users set kind = 'x', gender = 1 where id = 2`,
  )
  const found = await ask()
  t.strictSame([found?.account?.toSorted(), found?.profile], [[1, 2], [2]])
  await run('alter table users drop column kind, drop column "select"')
  await database.migrate()
  await run(`update users set gender = 3 where id = 3`)
  t.strictSame(await ask(), { profile: [3] })
})

test(
  'triggers are replaced in the schema of the tables, whatever comes before it in the search path',
  { skip },
  async (t) => {
    const { url, ask, run } = await openOwn(t)
    await run('create schema app', 'alter table users add column nickname text')
    const later = await openDatabase(`${url}?options=-c%20search_path%3Dapp,public`, '/')
    t.teardown(() => later.close())
    await later.migrate()
    await run(`update users set nickname = 'al' where id = 2`)
    t.strictSame(await ask(), { account: [2] })
  },
)

test('the triggers of an earlier version are replaced', { skip }, async (t) => {
  const { ask, run, database } = await openOwn(t)
  const definition = 'select prosrc from pg_proc where proname = $$log_users_update$$'
  const before = await run(definition)
  await run(
    `create or replace function log_users_update() returns trigger language plpgsql as 'begin return null; end'`,
  )
  await run('update users set gender = 1')
  t.strictSame(await ask(), {}, 'the earlier version')
  await database.migrate()
  t.strictSame(await run(definition), before)
  await run('update users set gender = 2 where id = 3')
  t.strictSame(await ask(), { profile: [3] })
})

test('a process that starts while another one replaces the triggers waits for it', { skip }, async (t) => {
  const { url, run, database } = await open(t)
  const function_ = (body: string) =>
    `create or replace function log_users_update() returns trigger language plpgsql as 'begin return ${body}; end'`
  await run(function_('null'))
  const other = new Client({ connectionString: url })
  await other.connect()
  t.teardown(() => other.end())
  await other.query('begin')
  await other.query('select pg_advisory_xact_lock(5282017004)')
  await other.query(function_('new'))
  const migrated = database.migrate()
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await run(waiting)).length === 0) await setTimeout(10)
  await other.query('commit')
  t.strictSame(await migrated, [])
})

test('a writer with another search path is logged', { skip }, async (t) => {
  const { ask, run } = await open(t)
  await run('set search_path to pg_catalog', 'update public.users set gender = 1 where id = 2')
  t.strictSame(await ask(), { profile: [2] })
})

test('a statement that changes more than 2,000 rows is a change of everybody', { skip }, async (t) => {
  const { ask, run } = await open(t, 2001)
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
  const { ask, run, db, markNow } = await open(t, 20_001)
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
    const { url, ask } = await open(t, 100)
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

test('changes are kept for ten minutes after their commit, and then deleted', { skip }, async (t) => {
  const { url, database, ask, run } = await open(t)
  const late = new Client({ connectionString: url })
  await late.connect()
  t.teardown(() => late.end())
  const count = async () => Number((await run('select count(*) as n from user_changes'))[0].n)
  await run('truncate user_changes', 'update users set gender = 1 where id = 1')
  await othersEnded(url)
  await late.query('begin; update users set gender = 1 where id = 2')
  const start = 1_000_000
  const purge = (time: number) => database.purgeChanges(start + time, 500)
  t.equal(await purge(0), 0)
  t.equal(await purge(10 * minute - 1), 0)
  // Written long ago, committed only now.
  await late.query('commit')
  await othersEnded(url)
  t.equal(await purge(10 * minute), 1)
  t.equal(await count(), 1)
  await ask()
  t.equal(await purge(20 * minute - 1), 0)
  t.equal(await purge(20 * minute), 1)
  t.equal(await count(), 0)
})

test('at most so many old changes are deleted at once as are asked for', { skip }, async (t) => {
  const { url, database, run } = await open(t, 100)
  await run('truncate user_changes', 'update users set gender = 1')
  await othersEnded(url)
  await database.purgeChanges(0, 60)
  t.equal(await database.purgeChanges(10 * minute, 60), 60)
  t.equal(await database.purgeChanges(10 * minute, 60), 40)
})

test('numbers of transactions of another server, from a restore, tell nothing and are deleted', { skip }, async (t) => {
  const { database, ask, run } = await open(t)
  await run(`insert into user_changes values ('900000000000', 1, 'account')`)
  t.strictSame(await ask(), {})
  await run('delete from user_changes where xid < $$900000000000$$')
  await database.purgeChanges(0, 10)
  t.equal(await database.purgeChanges(10 * minute, 10), 1)
})
