import { LRUCache } from 'lru-cache'
import type { Change } from './changes-sqlite.js'
import type { ListedUser } from './listed-user.js'
import { fromStoredRow, type Snapshots } from './snapshot-sqlite.js'

/** Bytes of an entry beside its text. */
const overhead = 150
const isNarrow = /^[\0-\xff]*$/
const bytesOf = (text: string) => text.length * (isNarrow.test(text) ? 1 : 2) + overhead

/** Users as text, rendered once and forgotten when they change. */
export const createRememberedUsers = (snapshots: Snapshots, render: (user: ListedUser) => string, memory: number) => {
  const texts = new LRUCache<number, string>({
    maxSize: memory,
    sizeCalculation: bytesOf,
  })

  const read = (ids: number[]): Map<number, string> => {
    const read = new Map<number, string>()
    for (const row of snapshots.rows(ids)) read.set(row[0], render(fromStoredRow(row)))
    for (const [id, text] of read) texts.set(id, text)
    return read
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
      return ids.flatMap((id, index) => found[index] ?? missing.get(id) ?? [])
    },
  }
}
