import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../sqlite/reader.js'
import { makeCancellable, type Cancellation, type WorkerPlan } from './cancellation.js'
import { createLatestChange } from './changes-sqlite.js'
import { createIdList, cut, type IdList, type Slice } from './id-list.js'
import type { Found } from './plain-user-list.js'
import { createSnapshots } from './snapshot-sqlite.js'

export interface ListWorkerData {
  path: string
  cancellation: Cancellation
}

/** A list to make, and what of it is waited for. */
export interface Order {
  plan: WorkerPlan
  slices: Slice[]
}

/** The list and the slices, all of one moment. */
export interface Delivery {
  list: IdList
  /** The latest change that the list knows. */
  latest: number
  found: Found[]
}

export type Answer = Delivery | { error: { message: string; code: unknown } } | { isLoaded: true }

/** Nobody else waits for this thread. Milliseconds. */
const patience = 5000

const { path, cancellation } = workerData as ListWorkerData
const connection = openReader(path, patience)
const latestChange = createLatestChange(connection)
const snapshots = createSnapshots(connection)
const cancellable = makeCancellable(connection, cancellation)

const make = ({ plan, slices }: Order): Delivery =>
  snapshots.read(() => {
    const latest = latestChange()
    const list = createIdList(snapshots.numbers(cancellable(plan)))
    // This thread does not follow the changes.
    snapshots.forgetNames()
    const found = slices.map((slice) => {
      const { ids, total } = cut(list, slice, snapshots.timeOf)
      return { users: snapshots.users(ids), total, version: latest }
    })
    return { list, latest, found }
  })

parentPort?.on('message', (order: Order) => {
  try {
    const delivery = make(order)
    parentPort?.postMessage(delivery satisfies Answer, [delivery.list.ids.buffer])
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    parentPort?.postMessage({ error: { message, code } } satisfies Answer)
  }
})

parentPort?.postMessage({ isLoaded: true } satisfies Answer)
