import { sql, type Compilable, type Kysely } from 'kysely'
import { compileOnce } from './compile-once.js'
import type { Tables } from './tables.js'

/**
 * Short-lived state: captchas, one-time codes, counters. Values are strings; `ttl` is milliseconds. Each call
 * is atomic, also between processes.
 */
export interface Store {
  get(key: string): Promise<string | undefined>
  /** Those of the keys that are there, all read at one moment. */
  getMany(keys: string[]): Promise<Map<string, Entry>>
  set(key: string, value: string, ttl: number): Promise<void>
  /** Sets all of the keys to `value`, with one write. */
  setMany(keys: string[], value: string, ttl: number): Promise<void>
  /** Reads and deletes: of parallel takers exactly one gets the value. */
  take(key: string): Promise<string | undefined>
  /** Adds `by` to a counter. `ttl` starts with the first addition and is not prolonged by later ones. */
  increment(key: string, by: number, ttl: number): Promise<Counter>
  /**
   * Moves the expiry of an entry on by `by` milliseconds, counted from now when there is none, but not further than
   * `most` from now. Resolves to the expiry.
   */
  prolong(key: string, by: number, most: number): Promise<number>
  delete(keys: string[]): Promise<void>
  /** Deletes up to `limit` entries that had expired at `time`; returns how many. */
  purge(time: number, limit: number): Promise<number>
}

export interface Entry {
  value: string
  /** Epoch milliseconds. */
  expiry: number
}

export interface Counter {
  count: number
  /** Epoch milliseconds at which the counter starts anew. */
  expiry: number
}

const selectValue = compileOnce((db) =>
  db.selectFrom('store').select('value').where('key', '=', '').where('expiry', '>', 0),
)
const addToCounter = compileOnce((db) =>
  db
    .insertInto('store')
    .values({ key: '', value: '', expiry: 0 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value: sql<string>`case when store.expiry > ${0} then cast(cast(store.value as integer) + ${0} as text) else excluded.value end`,
        expiry: sql<number>`case when store.expiry > ${0} then store.expiry else excluded.expiry end`,
      }),
    )
    .returning(['value', 'expiry']),
)
const moveExpiry = compileOnce((db) =>
  db
    .insertInto('store')
    .values({ key: '', value: '', expiry: 0 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        expiry: sql<number>`case when store.expiry + ${0} > ${0} then ${0} when store.expiry > ${0} then store.expiry + ${0} else excluded.expiry end`,
      }),
    )
    .returning('expiry'),
)

/** Statements by the number of their keys, of which there are only a few. */
const forEachCount = <R>(build: (db: Kysely<Tables>, keys: string[]) => Compilable<R>) => {
  const known = new Map<number, ReturnType<typeof compileOnce<R>>>()
  return (count: number) => {
    const statement = known.get(count) ?? compileOnce((db) => build(db, Array<string>(count).fill('')))
    known.set(count, statement)
    return statement
  }
}
const selectEntries = forEachCount((db, keys) =>
  db.selectFrom('store').selectAll().where('key', 'in', keys).where('expiry', '>', 0),
)
const insertEntries = forEachCount((db, keys) =>
  db
    .insertInto('store')
    .values(keys.map((key) => ({ key, value: '', expiry: 0 })))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({ value: row.ref('excluded.value'), expiry: row.ref('excluded.expiry') })),
    ),
)
const deleteEntries = forEachCount((db, keys) => db.deleteFrom('store').where('key', 'in', keys))

/** The store in the database: survives a restart and is shared by processes. */
export const createDatabaseStore = (db: Kysely<Tables>, now: () => number): Store => ({
  async get(key) {
    const [row] = await selectValue(db, key, now())
    return row?.value
  },

  async getMany(keys) {
    const rows = await selectEntries(keys.length)(db, ...keys, now())
    return new Map(rows.map((row) => [row.key, row]))
  },

  async set(key, value, ttl) {
    await insertEntries(1)(db, key, value, now() + ttl)
  },

  async setMany(keys, value, ttl) {
    const expiry = now() + ttl
    await insertEntries(keys.length)(db, ...keys.flatMap((key) => [key, value, expiry]))
  },

  async take(key) {
    const row = await db.deleteFrom('store').where('key', '=', key).returning(['value', 'expiry']).executeTakeFirst()
    return row && row.expiry > now() ? row.value : undefined
  },

  async increment(key, by, ttl) {
    const moment = now()
    // What is taken off something that has expired leaves nothing, not less.
    const first = String(Math.max(by, 0))
    const [row] = await addToCounter(db, key, first, moment + ttl, moment, by, moment)
    if (!row) throw new Error('A counter was not counted')
    return { count: Number(row.value), expiry: row.expiry }
  },

  async prolong(key, by, most) {
    const moment = now()
    const furthest = moment + most
    const [row] = await moveExpiry(db, key, '', moment + by, by, furthest, furthest, moment, by)
    if (!row) throw new Error('An expiry was not moved')
    return row.expiry
  },

  async delete(keys) {
    await deleteEntries(keys.length)(db, ...keys)
  },

  async purge(time, limit) {
    const result = await db
      .deleteFrom('store')
      .where('key', 'in', (query) => query.selectFrom('store').select('key').where('expiry', '<=', time).limit(limit))
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  },
})
