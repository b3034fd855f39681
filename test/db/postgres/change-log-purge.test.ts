import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { test } from 'tap'
import { isPostgresThere, skipped } from '../../helpers/databases/postgres.js'
import { openChangeLog } from './open-change-log.js'

const skip = (await isPostgresThere()) ? false : skipped
const minute = 60_000

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

test('changes are kept for ten minutes after their commit, and then deleted', { skip }, async (t) => {
  const { url, database, ask, run } = await openChangeLog(t)
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
  const { url, database, run } = await openChangeLog(t, 100)
  await run('truncate user_changes', 'update users set gender = 1')
  await othersEnded(url)
  await database.purgeChanges(0, 60)
  t.equal(await database.purgeChanges(10 * minute, 60), 60)
  t.equal(await database.purgeChanges(10 * minute, 60), 40)
})

test('numbers of transactions of another server, from a restore, tell nothing and are deleted', { skip }, async (t) => {
  const { database, ask, run } = await openChangeLog(t)
  await run(`insert into user_changes values ('900000000000', 1, 'account')`)
  t.strictSame(await ask(), {})
  await run('delete from user_changes where xid < $$900000000000$$')
  await database.purgeChanges(0, 10)
  t.equal(await database.purgeChanges(10 * minute, 10), 1)
})
