import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { endThread } from '../../lib/end-thread.js'
import { OverloadError, ShareError } from '../outage.js'
import { createCancellation, setCancelled } from './cancellation.js'
import type { IdList, Slice } from './id-list.js'
import type { Limits } from './limits.js'
import { createListQueue, type Job, type Want } from './list-queue.js'
import { createListRate } from './list-rate.js'
import type { Answer, Delivery, ListWorkerData, Order } from './list-worker.js'
import type { Listing, ListingPlan } from './listing-sqlite.js'
import type { Asker, Found } from './plain-user-list.js'

/** The extension of this module: in tests the sources run as they are. */
const workerModule = new URL('list-worker.js', import.meta.url)

const ended = 'The maker of lists has ended'
const toError = ({ message, code }: { message: string; code: unknown }) => Object.assign(new Error(message), { code })

/**
 * Has lists of ids made by a worker thread, one after the other, and hands each to `keep`.
 */
export const createWorkshop = (
  path: string,
  limits: Limits,
  now: () => number,
  keep: (listing: Listing, made: { list: IdList; plan: ListingPlan; latest: number }) => void,
) => {
  const queue = createListQueue(limits)
  const rate = createListRate(limits.listsPerMinute, now)
  const cancellation = createCancellation()
  let worker: Worker | undefined
  /** The list that is being made, and who has asked for it, in the order of the slices. */
  let current: { job: Job; asked: Want[] } | undefined

  const finish = (settle: (want: Want, index: number) => void) => {
    const { asked } = current ?? { asked: [] }
    current = undefined
    asked.forEach(settle)
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
    const workerData: ListWorkerData = { path, cancellation }
    const started = new Worker(workerModule, { workerData })
    started.on('message', (answer: Answer) => {
      if ('isLoaded' in answer) {
        // Until then it keeps the process alive: a server that does not listen yet has nothing else that does.
        if (!current) started.unref()
        return
      }
      if ('error' in answer) fail(toError(answer.error))
      else if (current) deliver(current.job, answer)
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
    const job = current ? undefined : queue.next()
    if (!job) return
    const asked = [...job.wants]
    current = { job, asked }
    worker ??= start()
    worker.ref()
    setCancelled(cancellation, false)
    const { all, candidates } = job.plan
    worker.postMessage({ plan: { all, candidates }, slices: asked.map(({ slice }) => slice) } satisfies Order)
  }

  /** A slice of the list as it is when its turn comes. */
  const take = async (listing: Listing, slice: Slice, { userId, signal }: Asker): Promise<Found> => {
    rate.count(userId)
    const want = queue.add(listing, slice, userId)
    const hangUp = () => want.reject(new ShareError('The connection was closed', 1))
    const tooLate = () => want.reject(new OverloadError('A list of users takes too long to make'))
    const timer = setTimeout(tooLate, limits.listTime)
    const hungUp = signal()
    hungUp.addEventListener('abort', hangUp)
    startNext()
    try {
      return await want.promise
    } finally {
      clearTimeout(timer)
      hungUp.removeEventListener('abort', hangUp)
      queue.leave(want)
      if (current?.job === want.job && want.job.wants.size === 0) setCancelled(cancellation, true)
    }
  }

  return {
    /** Starts the thread before it is needed; resolves when it has loaded its code. */
    async start(): Promise<void> {
      const started = (worker ??= start())
      // One that cannot be started is reported to the first who wants a list.
      await once(started, 'message').catch(() => undefined)
    },

    take,

    async close(): Promise<void> {
      for (const want of queue.all()) want.reject(new OverloadError(ended))
      if (worker) await endThread(worker)
    },
  }
}
