import PQueue from 'p-queue'
import { problem } from '../../lib/problem.js'

/** Messages under way at once. */
const concurrency = 10
/** Messages that may wait; beyond that the answer is 503. */
const maxQueued = 500
/** Retry-After when the queue is full, seconds. */
const retryAfter = 10

/**
 * Sends in the background: an answer that waited for the mail server would tell, by its time, who has an account.
 * What cannot be delivered is logged.
 */
export const createDelivery = (log: { error(details: object, message: string): void }) => {
  const queue = new PQueue({ concurrency })
  return {
    /** Throws `unavailable` when too much is waiting. */
    checkRoom(): void {
      if (queue.size >= maxQueued) throw problem('unavailable', { retryAfter })
    },
    enqueue(channel: string, send: () => Promise<void>): void {
      void queue
        .add(send)
        .catch((error: unknown) => log.error({ err: error, channel }, 'a code could not be delivered'))
    },
    /** Resolves when everything has been sent or has failed. */
    finish: () => queue.onIdle(),
  }
}

export type Delivery = ReturnType<typeof createDelivery>
