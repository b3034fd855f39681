import { setTimeout } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { ReportProgress } from '../../engine.js'
import type { Tables } from '../../tables.js'
import type { Snapshots } from './snapshots.js'

/** Users indexed in one transaction, which holds the event loop and the write lock for some 5 milliseconds. */
const batchSize = 250
/** The same in a migration, which no request waits for. */
const migrationBatchSize = 50_000
/** Names that are not indexed at once: searches read them one by one, at almost no cost. */
const maxNotIndexed = 100
/** Milliseconds between two transactions, for other writers. */
const pause = 15

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

/**
 * Creates the index of the pairs of characters in names. Triggers only record whose name has changed, which is much cheaper
 * than indexing it and cannot be left out by any writer; `indexNames` indexes those names later.
 */
export const createNameIndex = async (db: Kysely<unknown>, progress: ReportProgress): Promise<void> => {
  await sql`create virtual table user_grams
    using fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')`.execute(db)
  await sql`create table user_name_changes (user_id integer primary key)`.execute(db)
  for (const trigger of triggers) await sql.raw(trigger).execute(db)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from users`.execute(db)
  const last = rows[0]?.last ?? 0
  for (let first = 0; first < last; first += migrationBatchSize) {
    await sql`insert into user_grams (rowid, grams)
      select id, ${tokensOfUser} from users where id > ${first} and id <= ${first + migrationBatchSize}`.execute(db)
    progress('Names', Math.min(last, first + migrationBatchSize), last)
  }
}

const indexBatch = (db: Kysely<Tables>): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const batch = sql`select user_id from user_name_changes order by user_id limit ${sql.lit(batchSize)}`
    await sql`delete from user_grams where rowid in (${batch})`.execute(transaction)
    const grams = sql`select id, ${tokensOfUser} from users where id in (${batch})`
    await sql`insert into user_grams (rowid, grams) ${grams}`.execute(transaction)
    const { numAffectedRows } = await sql`delete from user_name_changes where user_id in (${batch})`.execute(
      transaction,
    )
    return Number(numAffectedRows)
  })

/** Indexes the changed names in short transactions, and awaits `wait` between two of them. */
export const indexNames = async (db: Kysely<Tables>, wait?: () => Promise<unknown>): Promise<void> => {
  while ((await indexBatch(db)) === batchSize) await wait?.()
}

/** Pages of the index that one transaction merges. Other writers wait for it. */
const mergedPages = 500

/**
 * Merges the parts of the index into one, some pages in each transaction. Searches then took a sixth less (100,000 users).
 * A negative number starts the merge of all parts (SQLite FTS5, "The 'merge' Command").
 */
export const mergeNameIndex = async (db: Kysely<Tables>): Promise<void> => {
  const merge = (pages: number) =>
    db.transaction().execute(async (transaction) => {
      const count = sql<{ changes: number }>`select total_changes() as changes`
      const before = await count.execute(transaction)
      await sql`insert into user_grams (user_grams, rank) values ('merge', ${pages})`.execute(transaction)
      const after = await count.execute(transaction)
      return (after.rows[0]?.changes ?? 0) - (before.rows[0]?.changes ?? 0)
    })
  // One change is the command itself.
  for (let changes = await merge(-mergedPages); changes > 1;) changes = await merge(mergedPages)
}

/** Indexes changed names while the service runs; checks for them each `interval` milliseconds. */
export const keepNamesIndexed = (db: Kysely<Tables>, snapshots: Snapshots, interval: number) => {
  const countChanged = `select count(*) from (select 1 from user_name_changes limit ${maxNotIndexed})`
  const closing = new AbortController()
  const wait = (time: number) => setTimeout(time, undefined, { signal: closing.signal, ref: false })
  const run = async () => {
    if (snapshots.number(countChanged) === maxNotIndexed) await indexNames(db, () => wait(pause))
  }
  const runAlways = async () => {
    // Names that cannot be indexed now are indexed later.
    for (;;) await wait(interval).then(() => run().catch(() => undefined))
  }
  // Rejected when it is closed.
  const running = runAlways().catch(() => undefined)
  return async (): Promise<void> => {
    closing.abort()
    await running
  }
}
