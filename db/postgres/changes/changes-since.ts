import { sql, type Kysely, type RawBuilder } from 'kysely'
import { compileQuery } from '../../query.js'
import type { Tables } from '../../tables.js'
import type { ChangeKind } from './change-kinds.js'

/** A moment between two commits, as the server tells it. */
export interface Mark {
  /** The transactions that were committed: `pg_snapshot` as text. */
  snapshot: string
  /** Of the server, epoch milliseconds. */
  time: number
  /** The run of the server. Another server, and one that has crashed, gives the same numbers to other transactions. */
  run: string
}

export interface AllChanges {
  /** From where on to ask the next time. */
  mark: Mark
  /**
   * The ids of the changed users by what has changed (`everybody`: all users); no change is left out, and none is told twice.
   * Null: not known, so that anything may have changed.
   */
  changed: Partial<Record<ChangeKind, number[]>> | null
}

/** The log is kept for longer (change-purge.ts): a mark that is older than this tells nothing. Milliseconds. */
const maxAge = 5 * 60_000
/** More changes than this are not told one by one. */
const maxChanges = 20_000

const time = sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`
/** When the server started, and when its statistics began anew: after a crash of one of its processes only the latter changes. */
const run = sql`concat(
  extract(epoch from pg_postmaster_start_time()), ' ', extract(epoch from pg_stat_get_bgwriter_stat_reset_time()))`

/** The parts of a mark, as expressions. */
type MarkParts = Record<keyof Mark, RawBuilder<unknown>>

/** The kind and the user of each change, which may be there several times. */
type SentChanges = [kind: ChangeKind, userId: string][] | null

/**
 * An expression of type `SentChanges`. It does not sort or group the changes: most questions find none, and PostgreSQL spent half of their time on
 * preparing those steps.
 */
const changedSince = ({ snapshot, time: then, run: thatRun }: MarkParts): RawBuilder<SentChanges> => sql`
  case when ${time} - ${then}::bigint <= ${sql.lit(maxAge)} and ${run} = ${thatRun} then (
    select coalesce(json_agg(array[kind, user_id::text]), '[]'::json)
    from (
      select kind, user_id from user_changes
      where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
        -- True of each row that the last line lets through. With an upper bound, too, the server expects few rows and reads the index; without
        -- it, it read the whole log for each page, in 0.4 s after ten million users were added.
        and xid < pg_snapshot_xmax(pg_current_snapshot())
        and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
        -- Not so after a restore from another server, whose transactions had other numbers.
        and pg_visible_in_snapshot(xid, pg_current_snapshot())
      limit ${sql.lit(maxChanges + 1)}
    ) as changes
  ) end`

/** The changed users by what has changed, each once. */
const readChanged = (sent: SentChanges): AllChanges['changed'] => {
  if (!sent || sent.length > maxChanges) return null
  const changed: Partial<Record<ChangeKind, Set<number>>> = {}
  for (const [kind, userId] of sent) (changed[kind] ??= new Set()).add(Number(userId))
  return Object.fromEntries(Object.entries(changed).map(([kind, ids]) => [kind, [...ids]]))
}

const currentMark = sql`json_build_object('snapshot', pg_current_snapshot()::text, 'time', ${time}, 'run', ${run})`

const valuesOf = ({ snapshot, time, run }: Mark): MarkParts => ({
  snapshot: sql`${snapshot}`,
  time: sql`${time}`,
  run: sql`${run}`,
})

const partsOfEach: MarkParts = { snapshot: sql`each.snapshot`, time: sql`each.time`, run: sql`each.run` }

/** What `changesSince` and `changesSinceEach` select. */
export interface Sent<Changed> {
  mark: Mark
  changed: Changed
}

/**
 * An expression for `readSent`: what was committed after `since` and is seen by the statement that contains the
 * expression. All other parts of that statement see the same. Without `since` nothing is known.
 *
 * Transactions are told by their snapshots and not by a counter: a transaction may begin first and be committed last.
 */
export const changesSince = (since: Mark | undefined): RawBuilder<Sent<SentChanges>> => sql`json_build_object(
  'mark', ${currentMark},
  'changed', ${since ? changedSince(valuesOf(since)) : sql`null`})`

/** The same for several moments, which are `Mark[]` as JSON: `changed` is an array, in their order. */
export const changesSinceEach = (marks: string): RawBuilder<Sent<SentChanges[]>> => sql`json_build_object(
  'mark', ${currentMark},
  'changed', (
    select json_agg(${changedSince(partsOfEach)} order by place)
    from rows from (json_to_recordset(${marks}::json) as (snapshot text, time bigint, run text))
      with ordinality as each(snapshot, time, run, place)))`

export const readSent = ({ mark, changed }: Sent<SentChanges>): AllChanges => ({ mark, changed: readChanged(changed) })

/** The same for `changesSinceEach`. */
export const readSentOfEach = ({ mark, changed }: Sent<SentChanges[]>): AllChanges[] =>
  changed.map((one) => readSent({ mark, changed: one }))

const selectMoment = compileQuery((db) => db.selectNoFrom(changesSince(undefined).as('changes')))
const selectChanges = compileQuery((db, since: Mark) => db.selectNoFrom(changesSince(since).as('changes')))

/** Asks the same by itself. */
export const readChanges = async (db: Kysely<Tables>, since: Mark | undefined): Promise<AllChanges> => {
  const [row] = await (since ? selectChanges(db, since) : selectMoment(db, {}))
  if (!row) throw new Error('PostgreSQL did not answer with a row')
  return readSent(row.changes)
}
