import { createWorkerThread } from '../../../lib/worker-thread.js'
import { OverloadError } from '../../errors.js'
import { createRoundRobinQueue } from '../../lists/round-robin-queue.js'
import type { IdList, Slice } from '../../user-list/id-list.js'
import type { Asker, Found } from '../../user-list/index.js'
import type { BuiltList } from './id-lists.js'
import type { Answer, Order } from './list-thread.js'
import type { SqliteListing } from './listing.js'

/** A request that waits for a list. */
interface Want extends PromiseWithResolvers<unknown> {
  userId: number
  listing: SqliteListing
  slice: Slice
  /** Makes the answer of the request. It must copy what it keeps of the list, which changes later. */
  answer: (found: Found, list: IdList) => unknown
}

const threadModule = new URL('list-thread.js', import.meta.url)

/** Builds lists of ids in a worker thread, one at a time, and passes each to `keep`. */
export const createListBuilder = (path: string, keep: (listing: SqliteListing, built: BuiltList) => void) => {
  const queue = createRoundRobinQueue<Want>()
  /** Shared with the thread: 1 makes it give up the list that it builds. */
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = createWorkerThread<Answer>(threadModule, { workerData: { path, cancelled } })
  /** The requests that wait for the list that is being built. */
  let current = new Set<Want>()
  let isBuilding = false

  const build = async (listing: SqliteListing, wants: Want[]) => {
    Atomics.store(cancelled, 0, 0)
    const slices = wants.map(({ slice }) => slice)
    const built = await thread.ask({ all: listing.all(), slices } satisfies Order)
    if ('error' in built) throw Object.assign(new Error(built.error.message), built.error)
    keep(listing, built)
    for (const [index, { answer, resolve }] of wants.entries()) {
      resolve(answer(built.found[index] ?? { users: [], total: 0 }, built.list))
    }
  }

  const buildAll = async () => {
    if (isBuilding) return
    isBuilding = true
    for (let first = queue.next(); first; first = queue.next()) {
      const { listing } = first
      const others = queue.all().filter((other) => other.listing.key === listing.key)
      for (const other of others) queue.remove(other)
      const wants = [first, ...others]
      current = new Set(wants)
      await build(listing, wants).catch((error: unknown) => wants.forEach(({ reject }) => reject(error)))
    }
    isBuilding = false
  }

  return {
    /** Builds the list of `listing` when its user is next, and returns what `answer` makes of a slice and of all ids. */
    async take<T>(
      { listing, slice, answer }: Pick<Want, 'listing' | 'slice'> & { answer: (found: Found, list: IdList) => T },
      { userId, beginWaiting }: Asker,
    ): Promise<T> {
      const { signal, end } = beginWaiting()
      const want: Want = { ...Promise.withResolvers(), userId, listing, slice, answer }
      queue.add(want)
      signal.addEventListener('abort', () => {
        queue.remove(want)
        want.reject(signal.reason)
      })
      void buildAll()
      try {
        return (await want.promise) as T
      } finally {
        end()
        if (current.delete(want) && current.size === 0) Atomics.store(cancelled, 0, 1)
      }
    },

    async close(): Promise<void> {
      for (const want of queue.all()) want.reject(new OverloadError('The user list is closed'))
      await thread.close()
    },
  }
}
