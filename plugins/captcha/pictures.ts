import { Worker } from 'node:worker_threads'
import { endThread } from '../../lib/end-thread.js'
import { problem } from '../../lib/problem.js'

export interface Picture {
  text: string
  /** A PNG, base64. */
  image: string
}

interface Waiter {
  resolve: (picture: Picture) => void
  reject: (error: Error) => void
}

/** Pictures drawn in advance, so that a burst of requests does not wait. */
const targetStock = 8
/** Requests that may wait for a picture. Drawing takes 4 ms, so the last one waits for less than a second. */
const maxWaiting = 200
/** Retry-After when the queue is full, seconds. */
const retryAfter = 2

/** Draws pictures of random texts in advance, in a worker thread, so that drawing does not block the event loop. */
export const createPictures = (randomText: () => string) => {
  const ready: Picture[] = []
  /** Texts that the thread is drawing, in the order of its answers. */
  const drawing: string[] = []
  const waiting: Waiter[] = []
  let thread: Worker | undefined

  const start = (): Worker => {
    // Without the loaders and flags of the process, which the thread does not need.
    const started = new Worker(new URL('picture-thread.js', import.meta.url), { execArgv: [] })
    started.on('message', (image: string) => {
      const picture = { text: drawing.shift() ?? '', image }
      const next = waiting.shift()
      if (next) next.resolve(picture)
      else ready.push(picture)
      if (drawing.length === 0) started.unref()
    })
    const end = (error: Error) => {
      if (thread !== started) return
      thread = undefined
      drawing.length = 0
      for (const { reject } of waiting.splice(0)) reject(error)
    }
    started.on('error', end)
    started.on('exit', () => end(new Error('The captcha drawing thread has ended unexpectedly')))
    return started
  }

  const draw = (): void => {
    while (ready.length + drawing.length < targetStock + waiting.length) {
      thread ??= start()
      const text = randomText()
      drawing.push(text)
      thread.ref()
      thread.postMessage(text)
    }
  }

  /** Each picture is returned once. Throws `unavailable` when too many requests are waiting. */
  const take = async (): Promise<Picture> => {
    const picture = ready.shift()
    if (!picture && waiting.length >= maxWaiting) throw problem('unavailable', { retryAfter })
    const taken = picture ?? new Promise<Picture>((resolve, reject) => waiting.push({ resolve, reject }))
    draw()
    return taken
  }

  return {
    take,

    async close(): Promise<void> {
      const ended = thread
      thread = undefined
      for (const { reject } of waiting.splice(0)) reject(problem('unavailable', { retryAfter }))
      if (ended) await endThread(ended)
    },
  }
}

export type Pictures = ReturnType<typeof createPictures>
