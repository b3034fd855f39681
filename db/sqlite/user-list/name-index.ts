import { sql, type Kysely } from 'kysely'
import type { ReportProgress } from '../../progress.js'

/** Users indexed by one statement of the migration. */
const batchSize = 50_000

/** Tokens of a name: each pair of neighbouring characters and the last character, as the hexadecimal of their UTF-8. */
const tokens = (prefix: string, column: string) => `
  (with recursive place(n) as (select 1 union all select n + 1 from place where n < length(${column}))
   select group_concat('${prefix}' || hex(substr(lower(${column}), n, 2)), ' ') from place)`
/** The prefixes u (user name) and r (real name) take half the space of two columns. */
export const tokensOfUser = sql.raw(`${tokens('u', 'username_key')} || ' ' || ${tokens('r', 'real_name_key')}`)

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
 * than indexing it and cannot be left out by any writer; those names are indexed later (name-indexing.ts).
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
