import type { Kysely } from 'kysely'
import { OperatorError } from '../lib/operator-error.js'
import { createDatabaseStore } from './repositories/store.js'
import type { Tables } from './tables.js'

/** The entry of the store that exists while a server uses the database, and for its lifetime after a server was killed. */
export const serverEntry = 'settings-in-use'
/** The entry of the store that says where `rollcall copy` has moved the data. */
const movedEntry = 'moved-to'
/** The entry of the store that says when a backup was last finished. */
const backupEntry = 'last-backup'
/** Milliseconds: a hundred years. */
const forEver = 100 * 365 * 24 * 3600 * 1000

const storeOf = (db: Kysely<Tables>) => createDatabaseStore(db, Date.now)

/** Whether a server uses the database, or was killed a short time ago. */
export const isServed = async (db: Kysely<Tables>): Promise<boolean> =>
  (await storeOf(db).get(serverEntry)) !== undefined

/** For a copy, which no server uses. */
export const forgetServers = (db: Kysely<Tables>): Promise<void> => storeOf(db).delete([serverEntry])

/** Where the data have been moved; undefined when they have not. */
export const movedTo = (db: Kysely<Tables>): Promise<string | undefined> => storeOf(db).get(movedEntry)

export const markMoved = (db: Kysely<Tables>, to: string): Promise<void> => storeOf(db).set(movedEntry, to, forEver)

/** Removes the mark, and resolves to what it said. */
export const unmarkMoved = (db: Kysely<Tables>): Promise<string | undefined> => storeOf(db).take(movedEntry)

/** When a backup was last finished, epoch milliseconds; undefined when none is known. */
export const lastBackup = async (db: Kysely<Tables>): Promise<number | undefined> => {
  const time = await storeOf(db).get(backupEntry)
  return time === undefined ? undefined : Number(time)
}

export const markBackup = (db: Kysely<Tables>, time: number): Promise<void> =>
  storeOf(db).set(backupEntry, String(time), forEver)

/** Throws an error for operators when the data of the database, which it calls `name`, have been moved. */
export const refuseMoved = async (db: Kysely<Tables>, name: string): Promise<void> => {
  const to = await movedTo(db)
  if (to === undefined) return
  throw new OperatorError(
    `${name} has been moved to ${to} by \`rollcall copy\`. Set DATABASE_URL (databaseUrl) to that database, or, to use this one again, run \`rollcall reopen\`.`,
  )
}
