import { setImmediate } from 'node:timers/promises'
import type { ListSnapshot } from './engine.js'
import { withIds, withoutPositions, type IdList } from './id-list.js'
import type { Listing } from './listing.js'

type Ordering = Pick<ListSnapshot<never>, 'inOrder'>

/** Ids of the list with which a round compares each moved user: five rounds find a place among a million. */
const probes = 15
/** Users whose places are searched for together: a round reads the order of five hundred users at most. */
const atOnce = 32
/** Ids that are looked through in one turn of the event loop. */
const partSize = 65_536
/** For so many ids one search of the list each takes less time than a look at every id of the list. */
const few = 8

/** The positions of some ids, in ascending order. */
const positionsOf = async (ids: IdList, wanted: number[]): Promise<number[]> => {
  if (wanted.length <= few) {
    const positions = wanted.map((id) => ids.indexOf(id)).filter((position) => position >= 0)
    return positions.sort((one, other) => one - other)
  }
  const positions: number[] = []
  const set = new Set(wanted)
  for (let start = 0; start < ids.length; start += partSize) {
    const end = Math.min(ids.length, start + partSize)
    for (let position = start; position < end; position++) if (set.has(ids[position] ?? 0)) positions.push(position)
    await setImmediate()
  }
  return positions
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

interface Place {
  id: number
  position: number
}

/** Finds the positions before which a few users belong. Undefined when a user of the list is missing in the table. */
const findPlaces = async (
  snapshot: Ordering,
  list: IdList,
  listing: Listing,
  ids: number[],
): Promise<Place[] | undefined> => {
  const searches = ids.map((id): Search => ({ id, low: 0, high: list.length }))
  for (;;) {
    const open = searches
      .filter(({ low, high }) => low < high)
      .map((search) => ({ search, at: positionsToProbe(search) }))
    if (open.length === 0) return searches.map(({ id, low: position }) => ({ id, position }))
    const idAt = (position: number) => list[position] ?? 0
    const compared = new Set(open.flatMap(({ search, at }) => [search.id, ...at.map(idAt)]))
    const ordered = await snapshot.inOrder(listing, [...compared], { matching: false })
    if (ordered.length < compared.size) return undefined
    const ranks = new Map(ordered.map((id, rank) => [id, rank]))
    for (const { search, at } of open) {
      const rank = ranks.get(search.id) ?? 0
      const before = at.filter((position) => (ranks.get(idAt(position)) ?? 0) < rank)
      search.low = (before.at(-1) ?? search.low - 1) + 1
      search.high = at[before.length] ?? search.high
    }
  }
}

/**
 * A copy of a list in which the users `moved` are where they belong in the snapshot; nobody else may have moved. Undefined when
 * the list does not fit the snapshot.
 */
export const placeUsers = async (
  snapshot: Ordering,
  list: IdList,
  listing: Listing,
  moved: number[],
): Promise<IdList | undefined> => {
  const rest = withoutPositions(list, await positionsOf(list, moved))
  const matching = await snapshot.inOrder(listing, moved, { matching: true })
  const places: Place[] = []
  for (let start = 0; start < matching.length; start += atOnce) {
    const found = await findPlaces(snapshot, rest, listing, matching.slice(start, start + atOnce))
    if (!found) return undefined
    places.push(...found)
    if (start > 0) await setImmediate()
  }
  return withIds(rest, places)
}
