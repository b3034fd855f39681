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

/** So many pictures lie ready: a burst of people is served without waiting. */
const supply = 8
/** So many requests may wait for a picture: at 4 ms each the last waits for less than a second. */
const maxWaiting = 200
/** Retry-After when more want one, seconds. */
const pause = 2

/** Pictures of texts that `randomText` makes, drawn ahead in a thread of its own, so that none holds the event loop. */
export const createPictures = (randomText: () => string) => {
  const ready: Picture[] = []
  /** What the thread has been given and not answered yet, in order. */
  const drawing: string[] = []
  const waiting: Waiter[] = []
  let thread: Worker | undefined

  const start = (): Worker => {
    // No loaders or flags of the process: the thread needs none.
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
    started.on('exit', () => end(new Error('The thread that draws captchas has ended')))
    return started
  }

  const draw = (): void => {
    while (ready.length + drawing.length < supply + waiting.length) {
      thread ??= start()
      const text = randomText()
      drawing.push(text)
      thread.ref()
      thread.postMessage(text)
    }
  }

  /** A picture that nobody else gets. Throws `unavailable` when too many wait for one. */
  const take = async (): Promise<Picture> => {
    const picture = ready.shift()
    if (!picture && waiting.length >= maxWaiting) throw problem('unavailable', { retryAfter: pause })
    const taken = picture ?? new Promise<Picture>((resolve, reject) => waiting.push({ resolve, reject }))
    draw()
    return taken
  }

  return {
    take,

    async close(): Promise<void> {
      const ended = thread
      thread = undefined
      for (const { reject } of waiting.splice(0)) reject(problem('unavailable', { retryAfter: pause }))
      if (ended) await endThread(ended)
    },
  }
}

export type Pictures = ReturnType<typeof createPictures>
