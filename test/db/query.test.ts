import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { test, type Test } from 'tap'
import { compileInsert, compileQuery } from '../../db/query.js'
import { openSqlite } from '../../db/sqlite/engine.js'

const open = (t: Test) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  const engine = openSqlite(join(directory, 'test.db'))
  t.teardown(async () => {
    await engine.close()
    rmSync(directory, { recursive: true })
  })
  return engine.db
}
const createNumbers = `create table store (key text primary key, value text, expiry integer)`

interface Row {
  key: string
  value: string
  expiry: number
}
const insert = compileInsert((db, rows: Row[]) => db.insertInto('store').values(rows))
const select = compileQuery((db, { keys, now }: { keys: string[]; now: number }) =>
  db.selectFrom('store').selectAll().where('key', 'in', keys).where('expiry', '>', now).orderBy('key'),
)

test('values of a compiled query go by their names, whatever their order and number', async (t) => {
  const db = open(t)
  await sql.raw(createNumbers).execute(db)
  await insert(db, [
    { key: 'a', value: 'one', expiry: 5 },
    { expiry: 6, value: 'two', key: 'b' },
  ])
  await insert(db, [{ value: 'three', expiry: 7, key: 'c' }])
  t.strictSame(await select(db, { now: 5, keys: ['a', 'b', 'c'] }), [
    { key: 'b', value: 'two', expiry: 6 },
    { key: 'c', value: 'three', expiry: 7 },
  ])
  t.strictSame(await select(db, { keys: ['a'], now: 4 }), [{ key: 'a', value: 'one', expiry: 5 }])
})

test('a value that is missing is refused, not taken for null', async (t) => {
  const db = open(t)
  await sql.raw(createNumbers).execute(db)
  await insert(db, [{ key: 'a', value: 'one', expiry: 5 }])
  await t.rejects(insert(db, [{ key: 'b', value: 'two' } as Row]), { message: /no value/ })
})

test('a query that uses the value itself while it is built is refused', async (t) => {
  const db = open(t)
  const wrong = compileQuery((anyDb, { now }: { now: number }) =>
    anyDb
      .selectFrom('store')
      .selectAll()
      .where('expiry', '>', now + 1),
  )
  await t.rejects(wrong(db, { now: 1 }), { message: /not known before the query runs/ })
})

/** Microseconds of the fastest of several rounds. */
const fastest = (work: () => void): number => {
  const rounds = Array.from({ length: 20 }, () => {
    const start = performance.now()
    for (let count = 0; count < 1000; count++) work()
    return performance.now() - start
  })
  return Math.min(...rounds)
}

test('a statement of SQLite is prepared once, also if its values might need another plan', (t) => {
  const { sql: text } = open(t).selectFrom('store').select('value').where('key', '=', 'a').orderBy('value').compile()
  const connection = new Sqlite(':memory:')
  t.teardown(() => connection.close())
  connection.exec('create table store (key text, value text, primary key (key, value))')
  const [ours, usual] = [text, text.replace('likely(?)', '?')].map((one) => connection.prepare(one))
  const ratio = fastest(() => ours?.all('a')) / fastest(() => usual?.all('a'))
  // If SQLite no longer prepares the usual statement anew, `StablePlanCompiler` (db/sqlite/engine.ts) is not needed any more.
  t.ok(ratio < 0.8, `${ratio.toFixed(2)} of the time that it takes with a usual parameter`)
  t.end()
})
