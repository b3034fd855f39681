import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import { createIds, type IdList } from '../../user-list/id-list.js'
import type { MarkedList } from '../../user-list/engine.js'
import type { Listing } from '../../user-list/listing.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../user-list/selection.js'
import { changesSince, type Mark } from '../changes/changes-since.js'
import { narrowByGrams } from './name-grams.js'

/** Bytes that are received and read at a time, so that other requests are answered in between. */
const partBytes = 2 ** 18

const maxInt4 = 2 ** 31 - 1
const bytesOf = { int4: 4, int8: 8 }

/** Reads ids to `ids` from the position `first` on; returns the position after them. */
const readPart = (ids: IdList, first: number, bytes: Buffer, width: number): number => {
  let position = first
  for (let place = 0; place < bytes.length; place += width) {
    ids[position++] = width === bytesOf.int4 ? bytes.readInt32BE(place) : Number(bytes.readBigInt64BE(place))
  }
  return position
}

interface Part {
  changes: { mark: Mark }
  highest: number | null
  ids: Buffer
}

/**
 * Reads the whole list, in one statement and thus as of one moment. As bytes, which are fewer and faster than rows; these come
 * in the order of the subquery.
 */
export const readIds = async (db: Kysely<Tables>, { filter, order }: Listing): Promise<MarkedList<Mark>> => {
  const matching = narrowByGrams(applyCompared(selectUsers(db), toCompared(filter)), filter)
  const found = applyOrder(matching, order).select('users.id')
  const highest = sql`(select max(id) from users)`
  const toBytes = sql`case when ${highest} <= ${sql.lit(maxInt4)} then int4send(id::int4) else int8send(id) end`
  const { rows } = await sql<Part>`
    with list as materialized (select coalesce(string_agg(${toBytes}, ''::bytea), '') as ids from ${found} as found)
    select start.*, substr(list.ids, place, ${sql.lit(partBytes)}) as ids
    from (select ${changesSince(undefined)} as changes, ${highest} as highest) as start, list,
      generate_series(1, greatest(1, length(list.ids)), ${sql.lit(partBytes)}) as place
    order by place`.execute(db)
  const [first] = rows
  if (!first) throw new Error('PostgreSQL did not tell the moment of a list')
  const width = (first.highest ?? 0) <= maxInt4 ? bytesOf.int4 : bytesOf.int8
  const ids = createIds(
    rows.reduce((sum, row) => sum + row.ids.length / width, 0),
    width === bytesOf.int4,
  )
  let position = 0
  for (const part of rows) {
    position = readPart(ids, position, part.ids, width)
    if (rows.length > 1) await setImmediate()
  }
  return { ids, mark: first.changes.mark }
}
