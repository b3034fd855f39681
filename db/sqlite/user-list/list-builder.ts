import { createWorkerThread } from '../../../lib/worker-thread.js'
import { OverloadError } from '../../outage.js'
import type { Slice } from '../../user-list/id-list.js'
import type { Asker, Found } from '../../user-list/index.js'
import type { BuiltList } from './id-lists.js'
import { createListQueue, type Want } from './list-queue.js'
import type { Answer, Order } from './list-thread.js'
import type { SqliteListing } from './listing.js'

const threadModule = new URL('list-thread.js', import.meta.url)

/** Builds lists of ids in a worker thread, one at a time, and passes each to `keep`. */
export const createListBuilder = (path: string, keep: (listing: SqliteListing, built: BuiltList) => void) => {
  const queue = createListQueue()
  /** Shared with the thread: 1 makes it give up the list that it builds. */
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = createWorkerThread<Answer>(threadModule, { workerData: { path, cancelled } })
  /** The requests that wait for the list that is being built. */
  let current = new Set<Want>()
  let isBuilding = false

  const build = async (listing: SqliteListing, wants: Want[]) => {
    Atomics.store(cancelled, 0, 0)
    try {
      const order: Order = { all: listing.all(), slices: wants.map(({ slice }) => slice) }
      const answer = await thread.ask(order)
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
      keep(listing, answer)
      for (const { onBuilt } of wants) onBuilt?.(answer.list)
      for (const [index, want] of wants.entries()) want.resolve(answer.found[index] ?? { users: [], total: 0 })
    } catch (error) {
      for (const want of wants) want.reject(error)
    }
  }

  const buildAll = async () => {
    if (isBuilding) return
    isBuilding = true
    for (let wants = queue.next(); wants[0]; wants = queue.next()) {
      current = new Set(wants)
      await build(wants[0].listing, wants)
    }
    isBuilding = false
  }

  return {
    /** Builds the list of `listing` when its turn comes, and returns a slice of it. */
    async take(
      listing: SqliteListing,
      slice: Slice,
      { userId, beginWaiting }: Asker,
      onBuilt?: Want['onBuilt'],
    ): Promise<Found> {
      const { signal, end } = beginWaiting()
      const want = queue.add({ userId, listing, slice, onBuilt })
      const giveUp = () => want.reject(signal.reason)
      signal.addEventListener('abort', giveUp)
      void buildAll()
      try {
        return await want.promise
      } finally {
        signal.removeEventListener('abort', giveUp)
        end()
        queue.remove(want)
        if (current.delete(want) && current.size === 0) Atomics.store(cancelled, 0, 1)
      }
    },

    async close(): Promise<void> {
      for (const want of queue.all()) want.reject(new OverloadError('The user list is closed'))
      await thread.close()
    },
  }
}
