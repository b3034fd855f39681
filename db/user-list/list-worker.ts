import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../engine-sqlite.js'
import { createLatestChange } from './changes-sqlite.js'
import { createIdList, idsOnPage, type IdList } from './id-list.js'
import type { Statement } from './listing-sqlite.js'
import { createSnapshots, type StoredRow } from './snapshot-sqlite.js'
import type { Page } from '../paging.js'

/** A list to make, and the pages of it that are waited for. */
export interface Order {
  query: Statement
  pages: { page: Page; isReversed: boolean }[]
}

/** All of one moment. */
export interface Delivery {
  list: IdList
  /** The latest change that the list knows. */
  latest: number
  pages: StoredRow[][]
}

export type Answer = Delivery | { error: { message: string; code: unknown } }

/** Nobody else waits for this thread. Milliseconds. */
const patience = 5000

const connection = openReader((workerData as { path: string }).path, patience)
const latestChange = createLatestChange(connection)
const snapshots = createSnapshots(connection)

const make = ({ query, pages }: Order): Delivery =>
  snapshots.read(() => {
    const latest = latestChange()
    const list = createIdList(snapshots.ids(query))
    return {
      list,
      latest,
      pages: pages.map(({ page, isReversed }) => snapshots.rows(idsOnPage(list, page, isReversed))),
    }
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
