import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql, type Kysely } from 'kysely'
import { test, type Test } from 'tap'
import { openSqlite } from '../../db/engine-sqlite.js'
import type { Tables } from '../../db/tables.js'
import { parallel } from '../helpers/compare.js'

/** An empty table of numbers, and what another process sees of it. */
const open = async (t: Test) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  const path = join(directory, 'test.db')
  const { db, shortLived } = openSqlite(path)
  await sql`create table numbers (n integer primary key, parent integer references numbers (n))`.execute(db)
  const other = new Sqlite(path, { readonly: true })
  t.teardown(async () => {
    other.close()
    await db.destroy()
    rmSync(directory, { recursive: true })
  })
  const numbers = () => other.prepare<[], number>('select n from numbers order by n').pluck().all()
  const logged = () => (other.pragma('wal_checkpoint(noop)') as [{ log: number }])[0].log
  return { db, shortLived, numbers, logged }
}

const add = (db: Kysely<Tables>, n: number, parent?: number) =>
  sql`insert into numbers values (${n}, ${parent ?? null})`.execute(db)
const addInTransaction = (db: Kysely<Tables>, n: number, andThen?: (transaction: Kysely<Tables>) => Promise<unknown>) =>
  db.transaction().execute(async (transaction) => {
    await add(transaction, n)
    await andThen?.(transaction)
  })
const outcomes = async (work: Promise<unknown>[]) => (await Promise.allSettled(work)).map(({ status }) => status)

test('writers that wait for one another write each page once', async (t) => {
  const { db, shortLived, numbers, logged } = await open(t)
  const before = logged()
  await Promise.all([
    ...(await Promise.resolve([0, 1, 2, 3].map((n) => addInTransaction(db, n)))),
    add(db, 4),
    add(shortLived, 5),
  ])
  t.equal(logged() - before, 1)
  t.strictSame(numbers(), [0, 1, 2, 3, 4, 5])
  for (const n of [6, 7, 8]) await addInTransaction(db, n)
  t.equal(logged() - before, 4, 'one after the other they share nothing')
})

test('whoever is undone takes nobody along, whatever the place', async (t) => {
  for (const place of [0, 1, 3]) {
    const { db, numbers } = await open(t)
    const fail = () => Promise.reject(new Error('undone'))
    const work = parallel(4, (n) => addInTransaction(db, n, n === place ? fail : undefined))
    await t.rejects(work, { message: 'undone' })
    await add(db, 9)
    t.strictSame(
      numbers(),
      [0, 1, 2, 3, 9].filter((n) => n !== place),
      `place ${place}`,
    )
  }
})

test('a single write that is refused takes nobody along', async (t) => {
  const { db, numbers } = await open(t)
  t.strictSame(await outcomes([addInTransaction(db, 1), add(db, 1), add(db, 2)]), [
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  t.strictSame(numbers(), [1, 2])
})

test('a commit that fails keeps nothing, is told to all who share it, and blocks nobody', async (t) => {
  const { db, numbers } = await open(t)
  // A row whose parent is missing at the end.
  const orphan = async (transaction: Kysely<Tables>) => {
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    await add(transaction, 10, 99)
  }
  const work = [addInTransaction(db, 1), addInTransaction(db, 2, orphan), addInTransaction(db, 3)]
  t.strictSame(await outcomes(work), ['rejected', 'rejected', 'rejected'])
  t.strictSame(numbers(), [])
  await addInTransaction(db, 4)
  t.strictSame(numbers(), [4])
})

test('when SQLite undoes all of it, all who share it are told, and nobody is blocked', async (t) => {
  const { db, numbers } = await open(t)
  const undoAll = (transaction: Kysely<Tables>) =>
    sql`insert or rollback into numbers values (1, null)`.execute(transaction)
  const work = [addInTransaction(db, 1), addInTransaction(db, 2, undoAll), addInTransaction(db, 3), add(db, 4)]
  const [first, second, ...later] = await Promise.allSettled(work)
  t.match(first, { status: 'rejected', reason: { code: 'SQLITE_IOERR' } })
  t.match(second, { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } })
  t.match(later, [{ status: 'fulfilled' }, { status: 'fulfilled' }])
  t.strictSame(numbers(), [3, 4])
})

test('nobody waits for more than 32 others', async (t) => {
  // Where nobody waits for the disk.
  const { shortLived, numbers } = await open(t)
  const seen: number[] = []
  await parallel(80, async (n) => {
    await addInTransaction(shortLived, n)
    if (n === 0) seen.push(numbers().length)
  })
  t.ok((seen[0] ?? 80) < 80, `${seen[0] ?? 0} when the first was answered`)
  t.equal(numbers().length, 80)
})
