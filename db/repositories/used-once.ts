import type { Kysely } from 'kysely'
import { compileQuery } from '../query.js'
import type { Tables } from '../tables.js'

interface Use {
  key: string
  /** Epoch milliseconds: until then it is remembered. */
  expiry: number
  now: number
}

const remember = compileQuery((db, { key, expiry, now }: Use) =>
  db
    .insertInto('store')
    .values({ key, value: '', expiry })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expiry }).where('store.expiry', '<=', now))
    .returning('key'),
)

/**
 * What may be used once and is valid by its signature alone, such as a challenge. It is remembered in the database, also where short-lived
 * state is in Redis, which may lose its memory: what was used would then be good again. Written in the transaction of what it allows.
 */
export const createUsedOnceRepository = (db: Kysely<Tables>) => ({
  /** False for what was used before. */
  use: async (key: string, expiry: number, now: number): Promise<boolean> =>
    (await remember(db, { key: `used:${key}`, expiry, now })).length > 0,
})
