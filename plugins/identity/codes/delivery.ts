import { setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'
import { problem } from '../../../lib/problem.js'

/** Messages sent at the same time. */
const concurrency = 10
/** Milliseconds for the response to be sent first: writing a message takes the main thread about a millisecond. */
const pause = 25
/** Messages that may wait; then requests for a code are answered with 503. */
const maxQueued = 500
/** Retry-After when the queue is full, seconds. */
const retryAfter = 10

/**
 * Sends messages in the background: if the response waited for the mail server, its time would show which accounts exist.
 * Failures are logged.
 */
export const createDelivery = (log: { error(details: object, message: string): void }) => {
  const queue = new PQueue({ concurrency })
  return {
    /** Throws `unavailable` when the queue has no room for so many messages. */
    checkCapacity(messages = 1): void {
      if (queue.size + messages > maxQueued) throw problem('unavailable', { retryAfter })
    },
    /** Resolves when few messages wait: whoever sends many leaves room for the codes of others. */
    idle: () => queue.onSizeLessThan(concurrency),
    /** `failed` is called when the message could not be delivered. */
    enqueue(channel: string, send: () => Promise<void>, failed?: () => Promise<void>): void {
      void queue
        .add(() => setTimeout(pause).then(send))
        .catch(async (error: unknown) => {
          log.error({ err: error, channel }, 'a code could not be delivered')
          await failed?.()
        })
        .catch((error: unknown) =>
          log.error({ err: error, channel }, 'that an invitation was not delivered could not be stored'),
        )
    },
    /** Resolves when all messages have been sent or have failed. */
    finish: () => queue.onIdle(),
  }
}

export type Delivery = ReturnType<typeof createDelivery>
