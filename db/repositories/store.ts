import { sql, type Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import { compileQuery } from '../query.js'
import type { StoreTable, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  store: {
    key: ['key'],
    expires: { column: 'expiry' },
    // Sign-ins at a provider, and authenticator apps that are being set up.
    encrypted: { column: 'value', purposeOf: (key) => key, keysFrom: ['federation:state:', 'factor:enrol:'] },
    isShortLived: true,
  },
} satisfies Keeps

/**
 * Short-lived state: captchas, one-time codes, counters. Values are strings; `ttl` is in milliseconds. Each call
 * is atomic, also between processes.
 */
export interface Store {
  get(key: string): Promise<string | undefined>
  /** The entries of those keys that exist, read at one moment. */
  getMany(keys: string[]): Promise<Map<string, Entry>>
  set(key: string, value: string, ttl: number): Promise<void>
  /** Sets all keys to `value` in one write. */
  setMany(keys: string[], value: string, ttl: number): Promise<void>
  /** Reads and deletes: of parallel callers exactly one gets the value. */
  take(key: string): Promise<string | undefined>
  /** Adds `by` to a counter. `ttl` starts with the first addition; later ones do not extend it. */
  increment(key: string, by: number, ttl: number): Promise<Counter>
  /**
   * Adds `by` milliseconds to the expiry of an entry, or creates one that expires in `by`, but at most `max`
   * milliseconds from now. Resolves to the expiry.
   */
  prolong(key: string, by: number, max: number): Promise<number>
  delete(keys: string[]): Promise<void>
}

export interface Entry {
  value: string
  /** Epoch milliseconds. */
  expiry: number
}

export interface Counter {
  count: number
  /** Epoch milliseconds at which the counter begins again. */
  expiry: number
}

// The expiry is compared afterwards: while the table is almost empty, PostgreSQL would plan to read all live
// rows by the index of their expiry, and keep that plan until the table is analyzed.
const selectEntries = compileQuery((db, { keys }: { keys: string[] }) =>
  db.selectFrom('store').selectAll().where('key', 'in', keys),
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
  /** Value and expiry when there is no live counter. */
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
        value: sql<string>`case when store.expiry > ${now} then cast(cast(store.value as bigint) + ${by} as text) else excluded.value end`,
        expiry: sql<number>`case when store.expiry > ${now} then store.expiry else excluded.expiry end`,
      }),
    )
    .returning(['value', 'expiry']),
)

interface Prolongation {
  key: string
  by: number
  /** The expiry when there is no live entry. */
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
    const [row] = await selectEntries(db, { keys: [key] })
    return row && row.expiry > now() ? row.value : undefined
  },

  async getMany(keys) {
    // PostgreSQL refuses an empty list.
    if (keys.length === 0) return new Map()
    const rows = await selectEntries(db, { keys })
    const moment = now()
    return new Map(rows.filter(({ expiry }) => expiry > moment).map((row) => [row.key, row]))
  },

  async set(key, value, ttl) {
    await setEntries(db, { rows: [{ key, value, expiry: now() + ttl }] })
  },

  async setMany(keys, value, ttl) {
    const expiry = now() + ttl
    // PostgreSQL refuses to write a row twice in one statement.
    await setEntries(db, { rows: [...new Set(keys)].map((key) => ({ key, value, expiry })) })
  },

  async take(key) {
    const row = await db.deleteFrom('store').where('key', '=', key).returning(['value', 'expiry']).executeTakeFirst()
    return row && row.expiry > now() ? row.value : undefined
  },

  async increment(key, by, ttl) {
    const moment = now()
    // Subtracting from an expired counter gives 0, never a negative number.
    const first = String(Math.max(by, 0))
    const [row] = await addToCounter(db, { key, by, first, expiry: moment + ttl, now: moment })
    if (!row) throw new Error('A counter was not counted')
    return { count: Number(row.value), expiry: row.expiry }
  },

  async prolong(key, by, max) {
    const moment = now()
    const [row] = await moveExpiry(db, { key, by, expiry: moment + by, latest: moment + max, now: moment })
    if (!row) throw new Error('An expiry was not moved')
    return row.expiry
  },

  async delete(keys) {
    if (keys.length > 0) await deleteEntries(db, { keys })
  },
})
