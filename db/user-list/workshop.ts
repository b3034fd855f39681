import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { OverloadError } from '../outage.js'
import type { Page } from '../paging.js'
import type { IdList } from './id-list.js'
import type { Answer, Delivery, Order } from './list-worker.js'
import type { Listing, ListingPlan } from './listing-sqlite.js'
import type { StoredRow } from './snapshot-sqlite.js'

/** Pages of the answer of a list that may wait to be made; more are refused. */
const longestQueue = 200

/** What somebody waits for. */
interface Want {
  page: Page
  isReversed: boolean
  resolve(found: { rows: StoredRow[]; total: number }): void
  reject(error: Error): void
}

interface Job {
  listing: Listing
  plan: ListingPlan
  wants: Want[]
}

/** The extension of this module: the sources run as they are in tests. */
const workerModule = new URL(`./list-worker${extname(import.meta.url)}`, import.meta.url)

const ended = 'The maker of lists has ended'
const toError = ({ message, code }: { message: string; code: unknown }) => Object.assign(new Error(message), { code })

/**
 * Has lists of ids made by a worker thread, one after the other, and hands each to `keep`. The thread starts with the
 * first list.
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
    worker?.unref()
    startNext()
  }
  const deliver = ({ listing, plan }: Job, { list, latest, pages }: Delivery) => {
    keep(listing, { list, plan, latest })
    finish((want, index) => want.resolve({ rows: pages[index] ?? [], total: list.length }))
  }
  const fail = (error: Error) => finish((want) => want.reject(error))

  const start = () => {
    const started = new Worker(workerModule, { workerData: { path } })
    started.on('message', (answer: Answer) => {
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
    const pages = job.wants.map(({ page, isReversed }) => ({ page, isReversed }))
    worker.postMessage({ query: job.plan.all, pages } satisfies Order)
  }

  return {
    /** A page of the list as it is when its turn comes, and the length of the list. */
    page: (listing: Listing, page: Page): Promise<{ rows: StoredRow[]; total: number }> =>
      new Promise((resolve, reject) => {
        if (size >= longestQueue) throw new OverloadError('Too many lists of users wait to be made')
        // A list that is being made already may not know what was written just now: it is not joined.
        const job = waiting.get(listing.key) ?? { listing, plan: listing.prepare(), wants: [] }
        waiting.set(listing.key, job)
        job.wants.push({ page, isReversed: listing.isReversed, resolve, reject })
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
