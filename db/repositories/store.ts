import { sql, type Kysely } from 'kysely'
import { compileQuery } from '../query.js'
import type { StoreTable, Tables } from '../tables.js'

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

const selectValue = compileQuery((db, { key, now }: { key: string; now: number }) =>
  db.selectFrom('store').select('value').where('key', '=', key).where('expiry', '>', now),
)
const selectEntries = compileQuery((db, { keys, now }: { keys: string[]; now: number }) =>
  db.selectFrom('store').selectAll().where('key', 'in', keys).where('expiry', '>', now),
)
const setEntries = compileQuery((db, { rows }: { rows: StoreTable[] }) =>
  db
    .insertInto('store')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({ value: row.ref('excluded.value'), expiry: row.ref('excluded.expiry') })),
    ),
)
const deleteEntries = compileQuery((db, { keys }: { keys: string[] }) =>
  db.deleteFrom('store').where('key', 'in', keys),
)

interface Addition {
  key: string
  by: number
  /** The value and the expiry where there is no counter, or one that has expired. */
  first: string
  expiry: number
  now: number
}
const addToCounter = compileQuery((db, { key, by, first, expiry, now }: Addition) =>
  db
    .insertInto('store')
    .values({ key, value: first, expiry })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value: sql<string>`case when store.expiry > ${now} then cast(cast(store.value as integer) + ${by} as text) else excluded.value end`,
        expiry: sql<number>`case when store.expiry > ${now} then store.expiry else excluded.expiry end`,
      }),
    )
    .returning(['value', 'expiry']),
)

interface Prolongation {
  key: string
  by: number
  /** The expiry where there is no entry, or one that has expired. */
  expiry: number
  /** The latest expiry. */
  latest: number
  now: number
}
const moveExpiry = compileQuery((db, { key, by, expiry, latest, now }: Prolongation) =>
  db
    .insertInto('store')
    .values({ key, value: '', expiry })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        expiry: sql<number>`case when store.expiry + ${by} > ${latest} then ${latest} when store.expiry > ${now} then store.expiry + ${by} else excluded.expiry end`,
      }),
    )
    .returning('expiry'),
)

/** The store in the database: survives a restart and is shared by processes. */
export const createDatabaseStore = (db: Kysely<Tables>, now: () => number): Store => ({
  async get(key) {
    const [row] = await selectValue(db, { key, now: now() })
    return row?.value
  },

  async getMany(keys) {
    const rows = await selectEntries(db, { keys, now: now() })
    return new Map(rows.map((row) => [row.key, row]))
  },

  async set(key, value, ttl) {
    await setEntries(db, { rows: [{ key, value, expiry: now() + ttl }] })
  },

  async setMany(keys, value, ttl) {
    const expiry = now() + ttl
    await setEntries(db, { rows: keys.map((key) => ({ key, value, expiry })) })
  },

  async take(key) {
    const row = await db.deleteFrom('store').where('key', '=', key).returning(['value', 'expiry']).executeTakeFirst()
    return row && row.expiry > now() ? row.value : undefined
  },

  async increment(key, by, ttl) {
    const moment = now()
    // What is taken off something that has expired leaves nothing, not less.
    const first = String(Math.max(by, 0))
    const [row] = await addToCounter(db, { key, by, first, expiry: moment + ttl, now: moment })
    if (!row) throw new Error('A counter was not counted')
    return { count: Number(row.value), expiry: row.expiry }
  },

  async prolong(key, by, most) {
    const moment = now()
    const [row] = await moveExpiry(db, { key, by, expiry: moment + by, latest: moment + most, now: moment })
    if (!row) throw new Error('An expiry was not moved')
    return row.expiry
  },

  async delete(keys) {
    await deleteEntries(db, { keys })
  },

  async purge(time, limit) {
    const result = await db
      .deleteFrom('store')
      .where('key', 'in', (query) => query.selectFrom('store').select('key').where('expiry', '<=', time).limit(limit))
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  },
})
