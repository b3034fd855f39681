import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql, type Kysely } from 'kysely'
import { test, type Test } from 'tap'
import { createFailure } from '../../../db/failure.js'
import { openSqlite } from '../../../db/sqlite/engine.js'
import { createWriteLock } from '../../../db/sqlite/write-lock.js'
import type { Tables } from '../../../db/tables.js'
import { parallel } from '../../helpers/values/compare.js'

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
  return { db, shortLived, numbers }
}

const add = (db: Kysely<Tables>, n: number, parent?: number) =>
  sql`insert into numbers values (${n}, ${parent ?? null})`.execute(db)
const addInTransaction = (db: Kysely<Tables>, n: number, andThen?: (transaction: Kysely<Tables>) => Promise<unknown>) =>
  db.transaction().execute(async (transaction) => {
    await add(transaction, n)
    await andThen?.(transaction)
  })

test('a transaction that is rolled back undoes nothing of the others, whatever its place', async (t) => {
  for (const place of [0, 1, 3]) {
    const { db, numbers } = await open(t)
    const fail = () => Promise.reject(new Error('rolled back'))
    const work = parallel(4, (n) => addInTransaction(db, n, n === place ? fail : undefined))
    await t.rejects(work, { message: 'rolled back' })
    await add(db, 9)
    t.strictSame(
      numbers(),
      [0, 1, 2, 3, 9].filter((n) => n !== place),
      `place ${place}`,
    )
  }
})

test('no writer sees or joins the open transaction of another', async (t) => {
  const { db, shortLived, numbers } = await open(t)
  const { promise: end, resolve } = Promise.withResolvers<undefined>()
  const first = addInTransaction(db, 1, () => end)
  const others = [add(db, 2), addInTransaction(db, 3), add(shortLived, 4)]
  await new Promise(setImmediate)
  t.strictSame(numbers(), [])
  resolve(undefined)
  await Promise.all([first, ...others])
  t.strictSame(numbers(), [1, 2, 3, 4])
})

/** A row whose parent is missing at the commit. */
const orphan = async (transaction: Kysely<Tables>) => {
  await sql`pragma defer_foreign_keys = on`.execute(transaction)
  await add(transaction, 10, 99)
}
const rollBackAll = (transaction: Kysely<Tables>) =>
  sql`insert or rollback into numbers values (2, null)`.execute(transaction)
/** Goes on writing after SQLite has rolled back: nothing of that may be kept. */
const goOn = async (transaction: Kysely<Tables>) => {
  await rollBackAll(transaction).catch(() => undefined)
  await add(transaction, 10)
}

const faults: { name: string; fault: (transaction: Kysely<Tables>) => Promise<unknown>; code: string }[] = [
  { name: 'a commit that fails', fault: orphan, code: 'SQLITE_CONSTRAINT_FOREIGNKEY' },
  { name: 'a statement at which SQLite rolls back', fault: rollBackAll, code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
  { name: 'a transaction that goes on after SQLite has rolled it back', fault: goOn, code: 'SQLITE_IOERR' },
  {
    name: 'a transaction that ends after SQLite has rolled it back',
    fault: (transaction) => rollBackAll(transaction).catch(() => undefined),
    code: 'SQLITE_IOERR',
  },
]

for (const { name, fault, code } of faults) {
  test(`${name} keeps nothing, is told to its own writer only, and blocks nobody`, async (t) => {
    const { db, shortLived, numbers } = await open(t)
    const work = [addInTransaction(db, 1), addInTransaction(db, 2, fault), addInTransaction(db, 3), add(db, 4)]
    const [first, second, ...later] = await Promise.allSettled(work)
    t.match(first, { status: 'fulfilled' })
    t.match(second, { status: 'rejected', reason: { code } })
    t.match(later, [{ status: 'fulfilled' }, { status: 'fulfilled' }])
    await Promise.all([add(shortLived, 5), addInTransaction(db, 6)])
    t.strictSame(numbers(), [1, 3, 4, 5, 6])
  })
}

test('a single write that is refused affects no other', async (t) => {
  const { db, numbers } = await open(t)
  const work = [addInTransaction(db, 1), add(db, 1), add(db, 2)]
  t.match(await Promise.allSettled(work), [{ status: 'fulfilled' }, { status: 'rejected' }, { status: 'fulfilled' }])
  t.strictSame(numbers(), [1, 2])
})

test('a transaction that cannot be rolled back is rolled back before the next writer, and nobody reads or keeps it', async (t) => {
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
  const lock = createWriteLock(faulty, createFailure())
  await lock.acquire()
  connection.exec('begin immediate')
  connection.exec('insert into numbers values (1)')
  lock.rollBackAndRelease()
  t.equal(lock.isFree(), false, 'nobody uses a connection in this state without the lock')
  await t.rejects(lock.acquire(), { code: 'SQLITE_IOERR' })
  await t.rejects(lock.acquire(), { code: 'SQLITE_IOERR' }, 'the second writer is told, too, and does not wait')
  isFailing = false
  await lock.acquire()
  t.equal(connection.inTransaction, false)
  lock.release()
  t.equal(lock.isFree(), true)
  t.strictSame(connection.prepare('select n from numbers').all(), [])
})
