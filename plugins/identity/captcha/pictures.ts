import { problem } from '../../../lib/problem.js'
import { createWorkerThread } from '../../../lib/worker-thread.js'

export interface Picture {
  text: string
  /** A PNG, base64. */
  image: string
}

/** Pictures drawn in advance, so that a burst of requests does not wait. */
const stock = { most: 8, least: 4 }
/** Requests that may wait for a picture. Drawing takes 4 ms, so the last one waits for less than a second. */
const maxWaiting = 200
/** Retry-After when the queue is full, seconds. */
const retryAfter = 2

/** Draws pictures of random texts in advance, in a worker thread, so that drawing does not block the event loop. */
export const createPictures = (randomText: () => string) => {
  const thread = createWorkerThread<string>(new URL('picture-thread.js', import.meta.url))
  const ready: Picture[] = []
  const waiting: PromiseWithResolvers<Picture>[] = []
  let isDrawing = false

  const drawOne = async () => {
    const text = randomText()
    const picture = { text, image: await thread.ask(text) }
    const next = waiting.shift()
    if (next) next.resolve(picture)
    else ready.push(picture)
  }

  const draw = async () => {
    if (isDrawing) return
    isDrawing = true
    try {
      while (ready.length < stock.most) await drawOne()
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error)
    } finally {
      isDrawing = false
    }
  }

  /** Each picture is returned once. Throws `unavailable` when too many requests are waiting. */
  const take = async (): Promise<Picture> => {
    const picture = ready.shift()
    if (ready.length < stock.least) void draw()
    if (picture) return picture
    if (waiting.length >= maxWaiting) throw problem('unavailable', { retryAfter })
    const waiter = Promise.withResolvers<Picture>()
    waiting.push(waiter)
    return waiter.promise
  }

  return {
    take,

    async close(): Promise<void> {
      for (const { reject } of waiting.splice(0)) reject(problem('unavailable', { retryAfter }))
      await thread.close()
    },
  }
}

export type Pictures = ReturnType<typeof createPictures>
