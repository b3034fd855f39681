import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../lib/lower-priority.js'
import type { MarkedList } from '../../user-list/engine.js'
import { cut, cutOut, type IdList, type Slice } from '../../user-list/id-list.js'
import type { Listing } from '../../user-list/listing.js'
import { openReader } from '../reader.js'
import { createSnapshots, type BuiltList } from './snapshots.js'
import type { Statement } from './statements.js'

/** A list to build, and the slice of it that a request asks for. */
export interface ListOrder {
  all: Statement
  slice: Slice
  /** Another list, which has all of this one in the same order: those whom `found` selects. */
  within: (MarkedList<number> & Pick<Listing, 'movedBy'> & { found: Statement }) | undefined
}

export type Answer = BuiltList | { error: { message: string; code: unknown } }

/** Milliseconds that this thread waits for a lock; nothing else waits for this thread. */
const busyTimeout = 5000

/** A byte for each id up to this one is no burden. */
const maxHighest = 2 ** 24

lowerPriority()
const { path, cancelled } = workerData as { path: string; cancelled: Int32Array<SharedArrayBuffer> }
const connection = openReader(path, busyTimeout)
// In KiB. A search reads the rows that it finds in any order: with half of this cache it took 1.3 to 1.5 times as much processor time
// (100,000 users).
connection.pragma('cache_size = -32000')
const snapshots = createSnapshots(connection, () => {
  if (Atomics.load(cancelled, 0) === 1) throw new Error('The list is not needed any more')
})

/** Takes a list out of another one, if nobody has moved in that: no user is read, and nothing sorted. */
const takeFrom = ({ ids, mark, movedBy, found }: NonNullable<ListOrder['within']>): IdList | undefined => {
  const highest = snapshots.number('select max(id) from users')
  if (highest > maxHighest || snapshots.moved(mark, snapshots.latestChange(), { movedBy })?.length !== 0)
    return undefined
  return cutOut(ids, snapshots.numbers(found), highest)
}

const build = connection.transaction(({ all, slice, within }: ListOrder): BuiltList => {
  // This thread does not follow the changes.
  snapshots.forgetNames()
  const ids = within && takeFrom(within)
  return ids
    ? { mark: snapshots.latestChange(), ids, users: snapshots.page(cut(ids, slice)) }
    : snapshots.build(all, slice)
})

parentPort?.on('message', (order: ListOrder) => {
  try {
    const built = build(order)
    parentPort?.postMessage(built satisfies Answer, [built.ids.buffer])
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    parentPort?.postMessage({ error: { message, code } } satisfies Answer)
  }
})
