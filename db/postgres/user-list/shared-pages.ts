import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import type { ListedUser } from '../../user-list/index.js'
import type { Changes, Mark } from '../changes/changes-since.js'
import { inOrder, readPages } from './page-statement.js'

/**
 * Statements that are under way at once. While they are, the next one collects pages. With four instead of two, 1.15 and 1.06 times as many pages
 * were read a second (20 connections, service and server on a core each, measured alternately); eight were no faster.
 */
const maxAtOnce = 4
/** Users that one statement reads, unless a page has more: reading the answer holds the event loop. */
const maxUsers = 100

interface Content {
  changes: Changes
  users: ListedUser[]
}

interface Wanted {
  since: Mark
  ids: number[]
  resolve: (content: Content) => void
  reject: (error: unknown) => void
}

const readTogether = async (db: Kysely<Tables>, batch: Wanted[]): Promise<void> => {
  try {
    const marks = new Map(batch.map(({ since }) => [since.snapshot + since.run, since]))
    const keys = [...marks.keys()]
    const wanted = [...new Set(batch.flatMap(({ ids }) => ids))]
    const { changes, users } = await readPages(db, [...marks.values()], wanted)
    for (const { since, ids, resolve, reject } of batch) {
      const own = changes[keys.indexOf(since.snapshot + since.run)]
      if (own) resolve({ changes: own, users: inOrder(ids, users) })
      else reject(new Error('PostgreSQL did not tell what has changed'))
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/**
 * Reads pages, each with what has changed since the mark of its list. All pages that are asked for in one turn of the event loop
 * share a statement, because a statement for one page of ten users costs several times as much as its share of a common one.
 */
export const createSharedPages = (db: Kysely<Tables>) => {
  const waiting: Wanted[] = []
  let running = 0
  let isPlanned = false

  const takeBatch = (): Wanted[] => {
    let users = 0
    const end = waiting.findIndex(({ ids }) => (users += ids.length) > maxUsers)
    return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end))
  }

  const begin = async () => {
    isPlanned = false
    running++
    await readTogether(db, takeBatch())
    running--
    plan()
  }

  const plan = () => {
    if (isPlanned || running >= maxAtOnce || waiting.length === 0) return
    isPlanned = true
    setImmediate(() => {
      void begin()
      plan()
    })
  }

  return (since: Mark, ids: number[]): Promise<Content> =>
    new Promise((resolve, reject) => {
      waiting.push({ since, ids, resolve, reject })
      plan()
    })
}
