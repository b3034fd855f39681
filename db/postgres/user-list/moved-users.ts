import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import type { IdList } from '../../user-list/id-list.js'
import type { Listing } from '../../user-list/listing.js'
import { applyOrder, selectUsers } from '../../user-list/selection.js'
import { everybody } from '../changes/change-kinds.js'
import type { Changes } from '../changes/changes-since.js'
import { applyFilter } from './apply-filter.js'
import { withIds, withoutPositions } from './id-list-copies.js'

/** Changed users that a list takes in at most; with more it is read anew. */
const maxMoved = 500
/** Ids of the list with which a round compares each moved user: five rounds find a place among a million. */
const probes = 15
/** Ids that are looked through at a time. */
const partSize = 65_536
/** For so many ids one search of the list each takes less time than a look at every id of the list. */
const few = 8

/** The users who may have moved in a list; undefined when they are unknown or too many. */
export const movedUsers = ({ changed }: Changes, { movedBy }: Listing): number[] | undefined => {
  if (!changed) return undefined
  const ids = new Set(movedBy.flatMap((kind) => changed[kind] ?? []))
  return ids.size > maxMoved || ids.has(everybody) ? undefined : [...ids]
}

/** The positions of some ids, in ascending order. */
const positionsOf = async ({ ids, length }: IdList, wanted: number[]): Promise<number[]> => {
  const positions: number[] = []
  if (wanted.length <= few) {
    for (const id of wanted) positions.push(ids.subarray(0, length).indexOf(id))
    return positions.filter((position) => position >= 0).sort((one, other) => one - other)
  }
  const set = new Set(wanted)
  for (let start = 0; start < length; start += partSize) {
    const end = Math.min(length, start + partSize)
    for (let position = start; position < end; position++) if (set.has(ids[position] ?? 0)) positions.push(position)
    await setImmediate()
  }
  return positions
}

/** Those of some users who match the filter of a list, in its order. */
const matching = async (db: Kysely<Tables>, { filter, order }: Listing, ids: number[]): Promise<number[]> => {
  const few = selectUsers(db).where(sql<boolean>`users.id = any(${ids}::bigint[])`)
  const rows = await applyOrder(applyFilter(few, filter), order).select('users.id').execute()
  return rows.map(({ id }) => id)
}

/** Where some users come in an order, by id. */
const ranksOf = async (db: Kysely<Tables>, { order }: Listing, ids: number[]): Promise<Map<number, number>> => {
  const some = selectUsers(db).where(sql<boolean>`users.id = any(${ids}::bigint[])`)
  const rows = await applyOrder(some, order).select('users.id').execute()
  return new Map(rows.map(({ id }, rank) => [id, rank]))
}

/** A user whose place is between two positions, both possible. */
interface Search {
  id: number
  low: number
  high: number
}

/** Up to `probes` positions that divide what is left to search into equal parts. */
const positionsToProbe = ({ low, high }: Search): number[] => {
  const size = high - low
  const count = Math.min(size, probes)
  return Array.from({ length: count }, (_, index) => low + Math.floor((size * (index + 1)) / (count + 1)))
}

/** Finds the positions before which some users belong. Undefined when a user of the list is missing in the table. */
const findPlaces = async (db: Kysely<Tables>, list: IdList, listing: Listing, ids: number[]) => {
  const searches = ids.map((id): Search => ({ id, low: 0, high: list.length }))
  for (;;) {
    const open = searches
      .filter(({ low, high }) => low < high)
      .map((search) => ({ search, at: positionsToProbe(search) }))
    if (open.length === 0) return searches.map(({ id, low: position }) => ({ id, position }))
    const idAt = (position: number) => list.ids[position] ?? 0
    const compared = new Set(open.flatMap(({ search, at }) => [search.id, ...at.map(idAt)]))
    const ranks = await ranksOf(db, listing, [...compared])
    if (ranks.size < compared.size) return undefined
    for (const { search, at } of open) {
      const rank = ranks.get(search.id) ?? 0
      const before = at.filter((position) => (ranks.get(idAt(position)) ?? 0) < rank)
      search.low = (before.at(-1) ?? search.low - 1) + 1
      search.high = at[before.length] ?? search.high
    }
  }
}

/**
 * A copy of a list in which the users `moved` are where they belong in the snapshot `db`; nobody else may have moved.
 * Undefined when the list does not fit the snapshot.
 */
export const moveUsers = async (
  db: Kysely<Tables>,
  list: IdList,
  listing: Listing,
  moved: number[],
): Promise<IdList | undefined> => {
  const rest = withoutPositions(list, await positionsOf(list, moved))
  const places = await findPlaces(db, rest, listing, await matching(db, listing, moved))
  return places && withIds(rest, places)
}
