import type { Kysely } from 'kysely'
import { createDatabaseStore } from './repositories/store.js'
import type { Tables } from './tables.js'

const entry = 'last-backup'
/** Milliseconds: a hundred years. */
const forEver = 100 * 365 * 24 * 3600 * 1000

const storeOf = (db: Kysely<Tables>) => createDatabaseStore(db, Date.now)

/** When a backup was last finished, epoch milliseconds; undefined when none is known. */
export const lastBackup = async (db: Kysely<Tables>): Promise<number | undefined> => {
  const time = await storeOf(db).get(entry)
  return time === undefined ? undefined : Number(time)
}

export const markBackup = (db: Kysely<Tables>, time: number): Promise<void> =>
  storeOf(db).set(entry, String(time), forEver)
