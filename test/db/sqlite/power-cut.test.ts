import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { test, type Test } from 'tap'
import { openSqlite } from '../../../db/sqlite/engine.js'
import { createFailure } from '../../../db/failure.js'
import { createFlush } from '../../../db/sqlite/flush.js'

const emptyPath = (t: Test) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  return join(directory, 'test.db')
}

/** Whether a promise is settled by now. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false
  const settle = () => (settled = true)
  promise.then(settle, settle)
  for (let turns = 0; turns < 5; turns++) await setImmediate()
  return settled
}

/** The flush of a file whose disk answers when the test says so. */
const createSlowFlush = (t: Test) => {
  const disk: ((error: Error | null) => void)[] = []
  const write = () =>
    new Promise<void>((resolve, reject) => {
      disk.push((error) => (error ? reject(error) : resolve()))
    })
  const path = emptyPath(t)
  writeFileSync(`${path}-wal`, '')
  const log = createFlush(path, createFailure(), write)
  t.teardown(() => log.close())
  /** Until the disk has been asked so many times in all. */
  const asked = async (times: number) => {
    for (let turns = 0; turns < 50 && disk.length < times; turns++) await setImmediate()
    t.equal(disk.length, times)
  }
  return { disk, log, asked }
}

test('the commits of one turn of the event loop share a flush', async (t) => {
  const { disk, log, asked } = createSlowFlush(t)
  const commits = [log.flush(), log.flush()]
  // Later in the same turn.
  for (let count = 0; count < 10; count++) await Promise.resolve()
  commits.push(log.flush())
  t.equal(disk.length, 0)
  await asked(1)
  for (const commit of commits) t.notOk(await isSettled(commit))
  disk[0]?.(null)
  await Promise.all(commits)
  t.equal(disk.length, 1)
})

test('a commit is not covered by a flush that was under way before it, and shares the next', async (t) => {
  const { disk, log, asked } = createSlowFlush(t)
  const first = log.flush()
  await asked(1)
  const [second, third] = [log.flush(), log.flush()]
  await setImmediate()
  t.equal(disk.length, 1)
  disk[0]?.(null)
  await first
  t.notOk(await isSettled(second))
  t.notOk(await isSettled(third))
  t.equal(disk.length, 2, 'one flush for both')
  disk[1]?.(null)
  await Promise.all([second, third])
  const fourth = log.flush()
  t.notOk(await isSettled(fourth))
  t.equal(disk.length, 3)
  disk[2]?.(null)
  await fourth
})

test('a disk that fails once is an outage for whoever waited for it and all those after, and is not asked again', async (t) => {
  const { disk, log, asked } = createSlowFlush(t)
  const first = log.flush()
  await asked(1)
  const second = log.flush()
  disk[0]?.(new Error('EIO'))
  await t.rejects(first, { code: 'SQLITE_IOERR_FSYNC' })
  await t.rejects(second, { code: 'SQLITE_IOERR_FSYNC' })
  await t.rejects(log.flush(), { code: 'SQLITE_IOERR_FSYNC' })
  t.equal(disk.length, 1)
})

test('writes answer when they are on the disk; short-lived state does not wait, nor do reads and other writes', async (t) => {
  let arrive: () => void = () => undefined
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  const { db, shortLived } = openSqlite(emptyPath(t), () => arrival)
  t.teardown(() => db.destroy())
  const create = sql`create table numbers (n integer)`.execute(shortLived)
  await create
  const add = (n: number) => sql`insert into numbers values (${n})`
  const single = add(1).execute(db)
  const several = db.transaction().execute((transaction) => add(2).execute(transaction))
  t.notOk(await isSettled(single))
  t.notOk(await isSettled(several))
  await add(3).execute(shortLived)
  const { rows } = await sql<{ n: number }>`select n from numbers order by n`.execute(shortLived)
  t.strictSame(
    rows.map(({ n }) => n),
    [1, 2, 3],
  )
  t.notOk(await isSettled(several))
  arrive()
  await Promise.all([single, several])
})

test('after a transaction that does not reach the disk nothing is written, and nobody is left waiting', async (t) => {
  const path = emptyPath(t)
  const { db, shortLived, failure } = openSqlite(path, () => Promise.reject(new Error('EIO')))
  await sql`create table numbers (n integer)`.execute(shortLived)
  const write = db.transaction().execute((transaction) => sql`insert into numbers values (1)`.execute(transaction))
  await t.rejects(write, { code: 'SQLITE_IOERR_FSYNC' })
  for (const kind of [db, shortLived]) {
    await t.rejects(sql`insert into numbers values (2)`.execute(kind), { code: 'SQLITE_IOERR_FSYNC' })
    await t.rejects(
      kind.transaction().execute((transaction) => sql`insert into numbers values (3)`.execute(transaction)),
      { code: 'SQLITE_IOERR_FSYNC' },
    )
  }
  t.match(await failure.happened, { code: 'SQLITE_IOERR_FSYNC' })
  await db.destroy()
  t.ok(statSync(`${path}-wal`).size > 0, 'the log is not moved to the database')
  const other = new Sqlite(path)
  t.teardown(() => other.close())
  t.strictSame(other.prepare('select n from numbers').pluck().all(), [1])
})
