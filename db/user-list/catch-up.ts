import type { Change } from './changes-sqlite.js'
import { insertId, removeId, type IdList } from './id-list.js'
import type { ListingPlan } from './listing-sqlite.js'
import type { Snapshots } from './snapshot-sqlite.js'

/**
 * Brings a list up to the snapshot that is being read: whoever has changed is taken out and, when still in the filter,
 * put where the order wants it now. Returns false when that cannot be done or not before `deadline`
 * (`performance.now()`); then the list is spoilt.
 */
export const catchUp = (
  list: IdList,
  plan: ListingPlan,
  changes: Change[],
  snapshots: Snapshots,
  deadline: number,
): boolean => {
  const moving = changes.filter(({ kind }) => plan.movedBy.has(kind))
  if (moving.length === 0) return true
  if (moving.some(({ kind }) => kind === 'names')) return false
  const changed = [...new Set(moving.map(({ userId }) => userId))]
  // All of them go before any comes back: what is left is in order, and only in such a list can be searched.
  const places: { id: number; position: number }[] = []
  for (const id of changed) {
    if (performance.now() > deadline) return false
    const position = removeId(list, id)
    if (position === undefined) continue
    for (const place of places) if (place.position > position) place.position--
    places.push({ id, position })
  }
  const placeOf = new Map(places.map(({ id, position }) => [id, position]))
  const members = snapshots.numbers({ sql: plan.among, parameters: [JSON.stringify(changed), ...plan.all.parameters] })
  const firstOfTwo = snapshots.prepareNumber(plan.firstOfTwo)
  const comesFirst = (one: number, other: number) => firstOfTwo(one, other) === one
  for (const [index, id] of members.entries()) {
    if (performance.now() > deadline) return false
    // Those before it are back already.
    const hint = (placeOf.get(id) ?? list.length) + index
    insertId(list, id, hint, comesFirst)
  }
  return true
}
