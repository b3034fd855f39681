import { LRUCache } from 'lru-cache'
import type { Change } from './changes-sqlite.js'
import type { ListedUser } from './listed-user.js'
import { fromStoredRow, type Snapshots } from './snapshot-sqlite.js'

/** Bytes of an entry beside its text. */
const overhead = 150
/** Two for each character is the most that a text takes. */
const bytesOf = (text: string) => text.length * 2 + overhead

/** Pages whose first and last user are remembered, to know them when they are asked for again. */
const knownPages = 5000

/**
 * Users as text, forgotten when they change. Kept are only those of pages that are asked for again: whoever reads the list
 * from one end to the other should not drive out what others read all the time.
 */
export const createRememberedUsers = (snapshots: Snapshots, render: (user: ListedUser) => string, memory: number) => {
  const texts = new LRUCache<number, string>({
    maxSize: memory,
    sizeCalculation: bytesOf,
  })

  const read = (ids: number[]): Map<number, string> => {
    const read = new Map<number, string>()
    for (const row of snapshots.rows(ids)) read.set(row[0], render(fromStoredRow(row)))
    return read
  }

  const pages = new LRUCache<string, true>({ max: knownPages })
  const isKnownPage = (ids: number[]): boolean => {
    const key = `${ids[0] ?? 0}:${ids.at(-1) ?? 0}:${ids.length}`
    if (pages.has(key)) return true
    pages.set(key, true)
    return false
  }

  return {
    /** Forgets who has changed; all of them when the changes cannot be told. */
    forget(changes: Change[] | undefined): void {
      if (!changes || changes.some(({ kind }) => kind === 'names')) texts.clear()
      else for (const { userId } of changes) texts.delete(userId)
    },

    /** The texts of these users; undefined when they are not all remembered. */
    remembered(ids: number[]): string[] | undefined {
      const found = ids.map((id) => texts.get(id))
      return found.includes(undefined) ? undefined : (found as string[])
    },

    /** The texts of these users, those that are not remembered from the snapshot that is being read. */
    texts(ids: number[]): string[] {
      const found = ids.map((id) => texts.get(id))
      const missing = read(ids.filter((_id, index) => found[index] === undefined))
      if (isKnownPage(ids)) for (const [id, text] of missing) texts.set(id, text)
      return ids.flatMap((id, index) => found[index] ?? missing.get(id) ?? [])
    },
  }
}
