import { sql } from 'kysely'
import { Client } from 'pg'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { isOutage } from '../../../db/outage.js'
import { readAddress } from '../../../db/postgres/address.js'
import { createChangeFeed } from '../../../db/postgres/changes/change-feed.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createPools } from '../../../db/postgres/pools.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { addTenant, borrowMigrated } from '../../contract/engines.js'
import { parallel } from '../../helpers/values/compare.js'
import { createPool, isPostgresThere, runSql, skipped, watchQueries } from '../../helpers/databases/postgres.js'
import { eventually } from '../../helpers/processes/process.js'

const skip = (await isPostgresThere()) ? false : skipped

/** A feed of a database with two users. `hold` keeps its answers back until the function that it returns is called. */
const open = async (t: Test) => {
  const url = await borrowMigrated(t)
  const database = await openDatabase(url, '/')
  t.teardown(() => database.close())
  const { tenant, addUser } = await addTenant(database)
  const [alice, bob] = [(await addUser('alice')).id, (await addUser('bob')).id]
  const pool = createPool(url, { statement_timeout: 500 })
  pool.on('error', () => undefined)
  const db = createKysely(pool, createStatementNames())
  t.teardown(() => db.destroy())
  let questions = 0
  watchQueries(pool, () => questions++)
  let answered = () => Promise.resolve()
  const holding = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await answered()
      return result
    },
  })
  const hold = () => {
    let begun: () => void = () => undefined
    let end: () => void = () => undefined
    const isAnswered = new Promise<void>((resolve) => (begun = resolve))
    const released = new Promise<void>((resolve) => (end = resolve))
    answered = async () => {
      begun()
      await released
    }
    return { isAnswered, release: end }
  }
  const { now, isUnchanged, listVersion } = createChangeFeed(holding)
  const mark = async () => now()
  await mark()
  const change = (id: number) => database.users.change(id, { remark: 'changed' }, 2)
  return { url, tenant, alice, bob, mark, isUnchanged, listVersion, change, hold, questions: () => questions }
}

test('what was read of a user is current until the user changes', { skip }, async (t) => {
  const { mark, isUnchanged, alice, bob, change } = await open(t)
  const first = await mark()
  await change(alice)
  const second = await mark()
  t.notOk(isUnchanged(alice, first, second))
  t.ok(isUnchanged(bob, first, second))
  const third = await mark()
  t.ok(isUnchanged(alice, second, third), 'read after the change')
  t.ok(isUnchanged(bob, first, third))
})

test('what was read of anybody is outdated by a change of roles and tenants', { skip }, async (t) => {
  const { url, mark, isUnchanged, alice, tenant } = await open(t)
  for (const statement of [
    `update tenants set enabled = 0 where id = ${tenant.id}`,
    `insert into roles (tenant_id, role_key, role_name, create_time) values (${tenant.id}, 'a', 'A', 1)`,
    `insert into role_permissions select id, 'a:b:c' from roles`,
    `update roles set role_key = 'b'`,
  ]) {
    const before = await mark()
    await runSql(url, statement)
    t.equal(isUnchanged(alice, before, await mark()), statement.startsWith('insert into roles '), statement)
  }
})

test('the version of the list changes with what a page shows, and with nothing else', { skip }, async (t) => {
  const { url, mark, listVersion } = await open(t)
  await runSql(
    url,
    `insert into roles (tenant_id, role_key, role_name, create_time) select id, 'a', 'A', 1 from tenants`,
  )
  await mark()
  for (const [statement, isShown] of [
    ['select 1', false],
    [`update users set password_hash = 'x'`, false],
    ['insert into role_permissions select id, $$a:b:c$$ from roles', false],
    [`update users set remark = 'x'`, true],
    ['update users set login_count = 7', true],
    [`update users set real_name = 'x', real_name_key = 'x'`, true],
    [`update users set phone = '1', phone_key = id::text`, true],
    ['update users set user_status = 0', true],
    ['insert into user_roles select users.id, roles.id from users, roles', true],
    [`update roles set role_key = 'b'`, true],
    [`update tenants set tenant_name = 'b'`, true],
    ['delete from users', true],
  ] as const) {
    const before = listVersion()
    t.ok(before !== undefined)
    await runSql(url, statement)
    t.equal(listVersion(), before, 'until the next question')
    await mark()
    t.equal(listVersion() !== before, isShown, statement)
  }
})

test('all checks of a moment share one question', { skip }, async (t) => {
  const { mark, questions } = await open(t)
  const before = questions()
  const marks = await parallel(100, mark)
  t.equal(questions(), before + 1)
  t.equal(new Set(marks).size, 1)
})

test('a check that comes while a question is under way shares the next one', { skip }, async (t) => {
  const { mark, isUnchanged, alice, change, hold, questions } = await open(t)
  const before = await mark()
  const asked = questions()
  const { isAnswered, release } = hold()
  const early = mark()
  await isAnswered
  await change(alice)
  const late = parallel(100, mark)
  release()
  t.ok(isUnchanged(alice, before, await early))
  const [last = 0] = new Set(await late)
  t.notOk(isUnchanged(alice, before, last))
  t.equal(questions(), asked + 2)
})

/** Locks the log until the function that it returns is called, and tells when a question waits. */
const lockLog = async (t: Test, url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('begin; lock table user_changes in access exclusive mode')
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return {
    unlock: () => client.query('rollback'),
    isWaiting: () =>
      eventually('a question that waits', async () => (await client.query(`select 1 ${waiting}`)).rows[0] as unknown),
    cut: () => client.query(`select pg_terminate_backend(pid) ${waiting}`),
  }
}

test('when the connection is lost, all who wait are told, and nothing is current any more', { skip }, async (t) => {
  const { url, mark, isUnchanged, listVersion, alice, questions } = await open(t)
  const before = await mark()
  const version = listVersion()
  const { unlock, isWaiting, cut } = await lockLog(t, url)
  const outcome = () => mark().catch((fault: unknown) => fault)
  const early = outcome()
  await isWaiting()
  const late = parallel(10, outcome)
  const asked = questions()
  await cut()
  for (const error of [await early, ...(await late)]) t.ok(isOutage(error), String(error))
  t.not(listVersion(), version)
  t.equal(questions(), asked, 'who has waited does not wait again')
  await unlock()
  const after = await mark()
  t.notOk(isUnchanged(alice, before, after))
  t.ok(isUnchanged(alice, after, await mark()))
})

test('a question that takes too long is an outage, and nothing is current any more', { skip }, async (t) => {
  const { url, mark, isUnchanged, alice } = await open(t)
  const before = await mark()
  const { unlock } = await lockLog(t, url)
  t.ok(isOutage(await mark().catch((fault: unknown) => fault)))
  await unlock()
  t.notOk(isUnchanged(alice, before, await mark()))
})

test('what was read before 20,000 other users changed is outdated', { skip }, async (t) => {
  const { url, mark, isUnchanged, alice, bob, change } = await open(t)
  const first = await mark()
  await change(bob)
  const second = await mark()
  const changeOthers = (from: number) =>
    runSql(
      url,
      `insert into user_changes (user_id, kind) select n, 'sign_in' from generate_series(${from}, ${from + 9999}) n`,
    )
  await changeOthers(1000)
  t.ok(isUnchanged(alice, first, await mark()))
  t.ok(isUnchanged(bob, second, await mark()))
  await changeOthers(20_000)
  const last = await mark()
  t.notOk(isUnchanged(alice, first, last))
  t.ok(isUnchanged(alice, second, last), 'only the oldest change is forgotten')
  t.notOk(isUnchanged(bob, first, last))
})

test('a session is read once while nothing of its owner changes', { skip }, async (t) => {
  const url = await borrowMigrated(t)
  const database = await openDatabase(url, '/')
  t.teardown(() => database.close())
  const { tenant, addUser } = await addTenant(database)
  const { id: alice } = await addUser('alice')
  await runSql(
    url,
    `insert into sessions (id, user_id, tenant_id, user_client, generation, generation_time, login_ip, user_agent, create_time,
      last_active_time, idle_expiry, expiry) values ('s', ${alice}, ${tenant.id}, 'pc', 1, 1, '', '', 1, 1, 9, 9)`,
  )
  const status = async () => (await database.sessions.find('s'))?.user.userStatus
  /** Without the triggers. */
  const setUnseen = (value: number) =>
    runSql(url, 'set session_replication_role = replica', `update users set user_status = ${value}`)
  t.equal(await status(), 1)
  await setUnseen(0)
  t.equal(await status(), 1, 'as it was read')
  await runSql(url, 'update users set user_status = 2')
  t.equal(await status(), 2)
})

test('the server plans the question once, not each time', { skip }, async (t) => {
  const url = await borrowMigrated(t)
  const db = createKysely(createPools(readAddress(url)).changes, createStatementNames())
  t.teardown(() => db.destroy())
  const { now } = createChangeFeed(db)
  for (let round = 0; round < 10; round++) await now()
  // The pool has one connection.
  const { rows } = await sql<{ custom_plans: number; generic_plans: number }>`
    select custom_plans, generic_plans from pg_prepared_statements where statement like '%user_changes%'`.execute(db)
  t.same(rows, [{ custom_plans: 0, generic_plans: 9 }])
})
