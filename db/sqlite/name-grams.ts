import { sql, type Kysely } from 'kysely'
import type { ReportProgress } from '../engine.js'
import type { Tables } from '../tables.js'

/** Users that one transaction indexes: it holds the event loop and the write lock for some 5 milliseconds. */
const batchSize = 250
/** The same for a migration, which nobody waits for. */
const migrationBatchSize = 50_000

/** Tokens of a name: each two characters in a row, and the last one, as the hexadecimal of their UTF-8. */
const tokens = (prefix: string, column: string) => `
  (with recursive place(n) as (select 1 union all select n + 1 from place where n < length(${column}))
   select group_concat('${prefix}' || hex(substr(lower(${column}), n, 2)), ' ') from place)`
/** `u` marks those of the user name, `r` those of the real name: columns of their own would take twice the room. */
const tokensOfUser = sql.raw(`${tokens('u', 'username_key')} || ' ' || ${tokens('r', 'real_name_key')}`)

/**
 * Notes once that a user is to be indexed anew. Not `or ignore`: the statement that fires the trigger would overrule
 * it.
 */
const note = (id: string) =>
  `insert into user_name_changes select ${id} where not exists (select 1 from user_name_changes where user_id = ${id});`

const triggers = [
  `create trigger user_name_added after insert on users begin ${note('new.id')} end`,
  `create trigger user_name_removed after delete on users begin ${note('old.id')} end`,
  `create trigger user_name_changed after update of id, username_key, real_name_key on users
     when old.id <> new.id or old.username_key <> new.username_key or old.real_name_key <> new.real_name_key
     begin ${note('old.id')} ${note('new.id')} end`,
]

/**
 * Creates the index of the one- and two-character parts of names, by which searches find candidates (see
 * db/user-list/README.md). Triggers only note whose name has changed, at a small part of what indexing costs, so that
 * no writer, of whichever process, can leave it out; `indexNames` does the rest later.
 */
export const createNameGrams = async (db: Kysely<unknown>, progress: ReportProgress): Promise<void> => {
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
    const { rows } = await sql<{ count: number }>`select count(*) as count from (${batch})`.execute(transaction)
    const count = rows[0]?.count ?? 0
    if (count === 0) return 0
    await sql`delete from user_grams where rowid in (${batch})`.execute(transaction)
    await sql`insert into user_grams (rowid, grams) select id, ${tokensOfUser} from users where id in (${batch})`.execute(
      transaction,
    )
    await sql`delete from user_name_changes where user_id in (${batch})`.execute(transaction)
    return count
  })

/** Indexes the names that have changed, in short transactions; `pause` is awaited between two of them. */
export const indexNames = async (db: Kysely<Tables>, pause?: () => Promise<unknown>): Promise<void> => {
  while ((await indexBatch(db)) === batchSize) await pause?.()
}
