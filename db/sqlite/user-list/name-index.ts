import { setTimeout } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { repeat } from '../../../lib/repeat.js'
import type { ReportProgress } from '../../progress.js'
import type { Tables } from '../../tables.js'
import type { Snapshots } from './snapshots.js'

/** Users indexed by one statement of the migration. */
const batchSize = 50_000

/** Tokens of a name: each pair of neighbouring characters and the last character, as the hexadecimal of their UTF-8. */
const tokens = (prefix: string, column: string) => `
  (with recursive place(n) as (select 1 union all select n + 1 from place where n < length(${column}))
   select group_concat('${prefix}' || hex(substr(lower(${column}), n, 2)), ' ') from place)`
/** The prefixes u (user name) and r (real name) take half the space of two columns. */
const tokensOfUser = sql.raw(`${tokens('u', 'username_key')} || ' ' || ${tokens('r', 'real_name_key')}`)

/** Records a user once. Not by `or ignore`, because the statement that fires the trigger would overrule it. */
const record = (id: string) =>
  `insert into user_name_changes select ${id} where not exists (select 1 from user_name_changes where user_id = ${id});`

const triggers = [
  `create trigger user_name_added after insert on users begin ${record('new.id')} end`,
  `create trigger user_name_removed after delete on users begin ${record('old.id')} end`,
  `create trigger user_name_changed after update of id, username_key, real_name_key on users
     when old.id <> new.id or old.username_key <> new.username_key or old.real_name_key <> new.real_name_key
     begin ${record('old.id')} ${record('new.id')} end`,
]

const createIndex = async (db: Kysely<unknown>, detail: 'none' | 'full', progress: ReportProgress): Promise<void> => {
  await sql`create virtual table user_grams using fts5(
    grams, content='', contentless_delete=1, detail=${sql.raw(detail)}, tokenize='ascii')`.execute(db)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from users`.execute(db)
  const last = rows[0]?.last ?? 0
  for (let first = 0; first < last; first += batchSize) {
    await sql`insert into user_grams (rowid, grams)
      select id, ${tokensOfUser} from users where id > ${first} and id <= ${first + batchSize}`.execute(db)
    progress('Names', Math.min(last, first + batchSize), last)
  }
}

/**
 * Creates the index of the pairs of characters in names. Triggers only record whose name has changed, which is much cheaper
 * than indexing it and cannot be left out by any writer; those names are indexed later (`keepNamesIndexed`).
 */
export const createNameIndex = async (db: Kysely<unknown>, progress: ReportProgress): Promise<void> => {
  await sql`create table user_name_changes (user_id integer primary key)`.execute(db)
  for (const trigger of triggers) await sql.raw(trigger).execute(db)
  await createIndex(db, 'none', progress)
}

/** Makes the index anew with the place of each pair in its name. Without places it cannot tell whether pairs are neighbours. */
export const addPlacesToNameIndex = async (db: Kysely<unknown>, progress: ReportProgress): Promise<void> => {
  await sql`drop table user_grams`.execute(db)
  await createIndex(db, 'full', progress)
  await sql`delete from user_name_changes`.execute(db)
}

/** Changed users indexed in one transaction, which holds the event loop and the write lock for some 5 milliseconds. */
const changesAtOnce = 250
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
    const batch = sql`select user_id from user_name_changes order by user_id limit ${sql.lit(changesAtOnce)}`
    await sql`delete from user_grams where rowid in (${batch})`.execute(transaction)
    const grams = sql`select id, ${tokensOfUser} from users where id in (${batch})`
    await sql`insert into user_grams (rowid, grams) ${grams}`.execute(transaction)
    const indexed = await sql`delete from user_name_changes where user_id in (${batch})`.execute(transaction)
    return Number(indexed.numAffectedRows)
  })

/** Indexes the changed names in short transactions, and awaits `wait` between two of them. */
const indexNames = async (db: Kysely<Tables>, wait?: () => Promise<unknown>): Promise<void> => {
  while ((await indexBatch(db)) === changesAtOnce) await wait?.()
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
  let checks = 0

  return repeat(
    async (signal) => {
      const waitForOthers = () => setTimeout(pause, undefined, { signal, ref: false })
      if (snapshots.number(countChanged) === maxNotIndexed) await indexNames(db, waitForOthers)
      if (++checks % checksPerMerge === 0) await mergeParts(db, mergedPages, waitForOthers)
    },
    // What cannot be done now is done later.
    { pause: interval },
  )
}
