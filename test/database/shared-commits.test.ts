import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql, type Kysely } from 'kysely'
import { test, type Test } from 'tap'
import { openSqlite } from '../../db/sqlite/engine.js'
import { createFailure } from '../../db/failure.js'
import { createMutex } from '../../db/sqlite/mutex.js'
import { createSharedCommits } from '../../db/sqlite/shared-commits.js'
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

/** A transaction whose savepoint is gone at its end, so that neither releasing nor undoing it can succeed. */
const loseSavepoint = (transaction: Kysely<Tables>) => sql`release member`.execute(transaction)

const savepointRows: { name: string; fault: (transaction: Kysely<Tables>) => Promise<unknown>; message: RegExp }[] = [
  { name: 'released', fault: loseSavepoint, message: /no such savepoint/ },
  {
    name: 'undone',
    fault: async (transaction) => {
      await loseSavepoint(transaction)
      throw new Error('the fault of the writer')
    },
    message: /the fault of the writer/,
  },
]

for (const { name, fault, message } of savepointRows) {
  test(`a savepoint that cannot be ${name} keeps nothing of the group, tells all in it, and blocks nobody`, async (t) => {
    const { db, shortLived, numbers } = await open(t)
    const work = [addInTransaction(db, 1), addInTransaction(db, 2, fault), addInTransaction(db, 3), add(db, 4)]
    const [first, second, ...later] = await Promise.allSettled(work)
    t.match(first, { status: 'rejected', reason: { code: 'SQLITE_IOERR' } })
    t.match(second, { status: 'rejected', reason: { message } })
    t.match(later, [{ status: 'fulfilled' }, { status: 'fulfilled' }])
    await Promise.all([add(shortLived, 5), addInTransaction(db, 6)])
    t.strictSame(numbers(), [3, 4, 5, 6], 'neither 1 nor 2')
  })
}

test('a transaction that cannot be undone is undone before the next writer, and nobody reads or keeps it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  const connection = new Sqlite(join(directory, 'test.db'))
  t.teardown(() => {
    connection.close()
    rmSync(directory, { recursive: true })
  })
  connection.exec('create table numbers (n integer primary key)')
  const rollback = connection.prepare('rollback')
  let isFailing = true
  const fail = () => {
    if (isFailing) throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR')
    return rollback.run()
  }
  const faulty = new Proxy(connection, {
    get: (target, name) => {
      if (name === 'inTransaction') return target.inTransaction
      return (text: string) => (text === 'rollback' ? { run: fail } : target.prepare(text))
    },
  })
  const commits = createSharedCommits(faulty, createMutex(), createFailure())
  t.equal(await commits.enter(), false)
  connection.exec('begin immediate')
  commits.open()
  connection.exec('insert into numbers values (1)')
  commits.undo()
  t.equal(commits.isIdle(), false, 'nothing goes past the lock to a connection in this state')
  await t.rejects(commits.enter(), { code: 'SQLITE_IOERR' })
  await t.rejects(commits.enter(), { code: 'SQLITE_IOERR' }, 'told again, not left waiting')
  isFailing = false
  t.equal(await commits.enter(), false)
  t.equal(connection.inTransaction, false)
  await commits.leave()
  t.equal(commits.isIdle(), true)
  t.strictSame(connection.prepare('select n from numbers').all(), [])
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
