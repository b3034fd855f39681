import { setTimeout } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import { tokensOfUser } from './name-index.js'
import type { Snapshots } from './snapshots.js'

/** Users indexed in one transaction, which holds the event loop and the write lock for some 5 milliseconds. */
const batchSize = 250
/**
 * Pages of the index that one transaction merges while the service runs. That holds the event loop for 3 to 8 milliseconds, and for up
 * to 18 among a million users where a pair is very frequent: SQLite does not divide the users of one pair. Half as many pages gain nothing.
 */
const mergedPages = 16
/** Pages that one transaction of a command merges. Other writers wait for it. */
const mergedPagesInCommand = 500
/** Milliseconds between two transactions, for other writers. */
const pause = 15
/**
 * Names that are not indexed as long as there are fewer: searches read them one by one. With 99 of them searches took 1.2 to 1.3 times as long
 * (100,000 users); with another part of the index, twice as long.
 */
const maxNotIndexed = 100
/**
 * Checks from one merge to the next: with one a second, five minutes. Among a million users a merge takes about half a minute and
 * writes the whole index anew.
 */
const checksPerMerge = 300

const indexBatch = (db: Kysely<Tables>): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const batch = sql`select user_id from user_name_changes order by user_id limit ${sql.lit(batchSize)}`
    await sql`delete from user_grams where rowid in (${batch})`.execute(transaction)
    const grams = sql`select id, ${tokensOfUser} from users where id in (${batch})`
    await sql`insert into user_grams (rowid, grams) ${grams}`.execute(transaction)
    const indexed = await sql`delete from user_name_changes where user_id in (${batch})`.execute(transaction)
    return Number(indexed.numAffectedRows)
  })

/** Indexes the changed names in short transactions, and awaits `wait` between two of them. */
const indexNames = async (db: Kysely<Tables>, wait?: () => Promise<unknown>): Promise<void> => {
  while ((await indexBatch(db)) === batchSize) await wait?.()
}

/**
 * Merges the parts of the index into one, `pages` in each transaction: every batch of names adds a part. With one more part and
 * deleted names in the first, searches took twice as long (100,000 users). A negative number starts the merge of all
 * parts (SQLite FTS5, "The 'merge' Command"); where there is only one, nothing is done.
 */
const mergeParts = async (db: Kysely<Tables>, pages: number, wait?: () => Promise<unknown>): Promise<void> => {
  const merge = (count: number) =>
    db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ before: number }>`select total_changes() as before`.execute(transaction)
      await sql`insert into user_grams (user_grams, rank) values ('merge', ${count})`.execute(transaction)
      const after = await sql<{ after: number }>`select total_changes() as after`.execute(transaction)
      return (after.rows[0]?.after ?? 0) - (rows[0]?.before ?? 0)
    })
  // One change is the command itself.
  for (let changes = await merge(-pages); changes > 1; changes = await merge(pages)) await wait?.()
}

/** Indexes all changed names and merges the parts of the index, for a command. */
export const indexAllNames = async (db: Kysely<Tables>): Promise<void> => {
  await indexNames(db)
  await mergeParts(db, mergedPagesInCommand)
}

/** Indexes changed names and merges the parts of the index while the service runs. It checks for them each `interval` milliseconds. */
export const keepNamesIndexed = (db: Kysely<Tables>, snapshots: Snapshots, interval: number) => {
  const countChanged = `select count(*) from (select 1 from user_name_changes limit ${maxNotIndexed})`
  const closing = new AbortController()
  const wait = (time: number) => setTimeout(time, undefined, { signal: closing.signal, ref: false })
  const waitForOthers = () => wait(pause)
  let checks = 0

  const run = async () => {
    if (snapshots.number(countChanged) === maxNotIndexed) await indexNames(db, waitForOthers)
    if (++checks % checksPerMerge === 0) await mergeParts(db, mergedPages, waitForOthers)
  }

  const runAlways = async () => {
    // What cannot be done now is done later.
    for (;;) await wait(interval).then(() => run().catch(() => undefined))
  }
  // Rejected when it is closed.
  const running = runAlways().catch(() => undefined)
  return async (): Promise<void> => {
    closing.abort()
    await running
  }
}
