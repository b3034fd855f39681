import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { OverloadError } from '../outage.js'
import type { IdList, Slice } from './id-list.js'
import type { Answer, Delivery, Order } from './list-worker.js'
import type { Listing, ListingPlan } from './listing-sqlite.js'

/** So many may wait for lists to be made; more are refused. */
const longestQueue = 200

type Found = Delivery['found'][number]

/** What somebody waits for. */
interface Want {
  slice: Slice
  resolve(found: Found): void
  reject(error: Error): void
}

interface Job {
  listing: Listing
  plan: ListingPlan
  wants: Want[]
}

/** The extension of this module: in tests the sources run as they are. */
const workerModule = new URL('list-worker.js', import.meta.url)

const ended = 'The maker of lists has ended'
const toError = ({ message, code }: { message: string; code: unknown }) => Object.assign(new Error(message), { code })

/**
 * Has lists of ids made by a worker thread, one after the other, and hands each to `keep`.
 */
export const createWorkshop = (
  path: string,
  keep: (listing: Listing, made: { list: IdList; plan: ListingPlan; latest: number }) => void,
) => {
  const waiting = new Map<string, Job>()
  let worker: Worker | undefined
  let current: Job | undefined
  let size = 0

  const finish = (settle: (want: Want, index: number) => void) => {
    const { wants } = current ?? { wants: [] }
    current = undefined
    size -= wants.length
    wants.forEach(settle)
    // A thread that has nothing to do keeps no process alive.
    worker?.unref()
    startNext()
  }
  const fail = (error: Error) => finish((want) => want.reject(error))
  const deliver = ({ listing, plan }: Job, { list, latest, found }: Delivery) => {
    keep(listing, { list, plan, latest })
    finish((want, index) => want.resolve(found[index] ?? { users: [], total: 0 }))
  }

  const start = () => {
    const started = new Worker(workerModule, { workerData: { path } })
    started.on('message', (answer: Answer) => {
      if ('isLoaded' in answer) {
        // Until then it keeps the process alive: a server that does not listen yet has nothing else that does.
        if (!current) started.unref()
        return
      }
      if ('error' in answer) fail(toError(answer.error))
      else if (current) deliver(current, answer)
    })
    const end = (error: Error) => {
      if (worker !== started) return
      worker = undefined
      fail(error)
    }
    started.on('error', end)
    started.on('exit', () => end(new OverloadError(ended)))
    return started
  }

  const startNext = () => {
    const [job] = waiting.values()
    if (current || !job) return
    waiting.delete(job.listing.key)
    current = job
    worker ??= start()
    worker.ref()
    const { all } = job.plan
    worker.postMessage({ plan: { all }, slices: job.wants.map(({ slice }) => slice) } satisfies Order)
  }

  return {
    /** Starts the thread before it is needed; resolves when it has loaded its code. */
    async start(): Promise<void> {
      const started = (worker ??= start())
      // One that cannot be started is reported to the first who wants a list.
      await once(started, 'message').catch(() => undefined)
    },

    /** A slice of the list as it is when its turn comes. */
    take: (listing: Listing, slice: Slice): Promise<Found> =>
      new Promise((resolve, reject) => {
        if (size >= longestQueue) throw new OverloadError('Too many lists of users wait to be made')
        // A list that is being made already may not know what was written just now: it is not joined.
        const job = waiting.get(listing.key) ?? { listing, plan: listing.prepare(), wants: [] }
        waiting.set(listing.key, job)
        job.wants.push({ slice, resolve, reject })
        size++
        startNext()
      }),

    async close(): Promise<void> {
      const abandoned = [...waiting.values()].flatMap((job) => job.wants)
      waiting.clear()
      for (const want of abandoned) want.reject(new OverloadError(ended))
      await worker?.terminate()
    },
  }
}
