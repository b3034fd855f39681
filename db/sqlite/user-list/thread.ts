import { createWorkerThread } from '../../../lib/worker-thread.js'
import { OverloadError } from '../../errors.js'
import type { Answer, ListOrder } from './list-thread.js'
import type { BuiltList } from './snapshots.js'

const threadModule = new URL('list-thread.js', import.meta.url)

/** Builds lists in a worker thread, one at a time. */
export const createListThread = (path: string) => {
  /** Shared with the thread: 1 makes it give up the list that it builds. */
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = createWorkerThread<Answer>(threadModule, { workerData: { path, cancelled } })
  let isClosed = false
  return {
    /** Must wait for the list before. Rejects with the reason of `signal`. */
    async build(order: ListOrder, signal: AbortSignal): Promise<BuiltList> {
      if (isClosed) throw new OverloadError('The user list is closed')
      const cancel = () => Atomics.store(cancelled, 0, 1)
      Atomics.store(cancelled, 0, 0)
      signal.addEventListener('abort', cancel)
      try {
        const built = await thread.ask(order)
        signal.throwIfAborted()
        if ('error' in built) throw Object.assign(new Error(built.error.message), built.error)
        return built
      } finally {
        signal.removeEventListener('abort', cancel)
      }
    },

    async close(): Promise<void> {
      isClosed = true
      await thread.close()
    },
  }
}
