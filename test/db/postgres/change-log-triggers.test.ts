import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { createPostgres, isPostgresThere, skipped } from '../../helpers/databases/postgres.js'
import { openChangeLog } from './open-change-log.js'

const skip = (await isPostgresThere()) ? false : skipped

/** A change log in a database whose schema may be changed. */
const openOwn = (t: Test) => openChangeLog(t, 3, createPostgres)

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
  const { url, run, database } = await openChangeLog(t)
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
