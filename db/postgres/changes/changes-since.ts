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

export interface Changes {
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

const changedSince = ({ snapshot, time: then, run: thatRun }: MarkParts): RawBuilder<unknown> => sql`
  case when ${time} - ${then}::bigint <= ${sql.lit(maxAge)} and ${run} = ${thatRun} then (
    select case when coalesce(sum(size), 0) <= ${sql.lit(maxChanges)}
      then coalesce(json_object_agg(kind, user_ids), '{}'::json) end
    from (
      select kind, count(*) as size, json_agg(user_id) as user_ids
      from (
        select distinct kind, user_id from user_changes
        where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
          -- Not so after a restore from another server, whose transactions had other numbers.
          and pg_visible_in_snapshot(xid, pg_current_snapshot())
        limit ${sql.lit(maxChanges + 1)}
      ) as changes
      group by kind
    ) as kinds
  ) end`

const currentMark = sql`json_build_object('snapshot', pg_current_snapshot()::text, 'time', ${time}, 'run', ${run})`

const valuesOf = ({ snapshot, time, run }: Mark): MarkParts => ({
  snapshot: sql`${snapshot}`,
  time: sql`${time}`,
  run: sql`${run}`,
})

/**
 * An expression of the type `Changes`: what was committed after `since` and is seen by the statement that contains the
 * expression. All other parts of that statement see the same. Without `since` nothing is known.
 *
 * Transactions are told by their snapshots and not by a counter: a transaction may begin first and be committed last.
 */
export const changesSince = (since: Mark | undefined): RawBuilder<Changes> => sql`json_build_object(
  'mark', ${currentMark},
  'changed', ${since ? changedSince(valuesOf(since)) : sql`null`})`

const partsOfEach: MarkParts = { snapshot: sql`each.snapshot`, time: sql`each.time`, run: sql`each.run` }

/** The same for several moments, which are `Mark[]` as JSON: `changed` is an array, in their order. */
export const changesSinceEach = (
  marks: string,
): RawBuilder<{ mark: Mark; changed: Changes['changed'][] }> => sql`json_build_object(
  'mark', ${currentMark},
  'changed', (
    select json_agg(${changedSince(partsOfEach)} order by place)
    from rows from (json_to_recordset(${marks}::json) as (snapshot text, time bigint, run text))
      with ordinality as each(snapshot, time, run, place)))`

const selectMoment = compileQuery((db) => db.selectNoFrom(changesSince(undefined).as('changes')))
const selectChanges = compileQuery((db, since: Mark) => db.selectNoFrom(changesSince(since).as('changes')))

/** Asks the same by itself. */
export const readChanges = async (db: Kysely<Tables>, since: Mark | undefined): Promise<Changes> => {
  const [row] = await (since ? selectChanges(db, since) : selectMoment(db, {}))
  if (!row) throw new Error('PostgreSQL did not answer with a row')
  return row.changes
}
