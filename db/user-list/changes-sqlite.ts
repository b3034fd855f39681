import type Sqlite from 'better-sqlite3'
import type { Version } from '../recall.js'

/**
 * What of a user has changed: the `account`; only the time, address and count of sign-ins; only the `roles`; or the
 * `names` of tenants and roles, and then of everybody.
 */
export type ChangeKind = 'account' | 'sign_in' | 'roles' | 'names'

export interface Change {
  seq: number
  userId: number
  kind: ChangeKind
}

/** So many are remembered, or up to twice as many: a list that is further behind is made anew. */
const remembered = 20_000

/** The number of the latest change that the connection sees. */
export const createLatestChange = (connection: Sqlite.Database) => {
  const latest = connection.prepare('select max(seq) from user_changes').pluck()
  return (): number => (latest.get() as number | null) ?? 0
}

/** Follows the log of changes (migration 0003). Inside a read transaction, it is as true as whatever is read there. */
export const createChangeFeed = (connection: Sqlite.Database, version: Version) => {
  const latestChange = createLatestChange(connection)
  const after = connection.prepare('select seq, user_id, kind from user_changes where seq > ? order by seq').raw()
  let known: Change[] = []
  let latest = -1
  /** Of the whole database, not later than `latest`. */
  let seen: number | undefined

  return {
    /** Whether nothing has changed since the last `advance`: then whatever was true at that moment still is. */
    isCurrent(): boolean {
      const current = version()
      if (current !== undefined && current === seen) return true
      if (latestChange() !== latest) return false
      seen = current
      return true
    },

    /** The changes since the last call; undefined when they cannot be told, as at the first call. */
    advance(): Change[] | undefined {
      const newest = latestChange()
      if (newest === latest) return []
      const rows = after.all(latest) as [seq: number, userId: number, kind: ChangeKind][]
      const isComplete = newest > latest && rows[0]?.[0] === latest + 1 && latest >= 0
      const changes = isComplete ? rows.map(([seq, userId, kind]) => ({ seq, userId, kind })) : []
      if (!isComplete || known.length > 2 * remembered) known = isComplete ? known.slice(-remembered) : []
      known.push(...changes)
      latest = newest
      return isComplete ? changes : undefined
    },

    /** The latest change that is known. */
    latest: () => latest,

    /** The changes after number `seq`; undefined when they are no longer remembered. */
    since(seq: number): Change[] | undefined {
      if (seq >= latest) return []
      const first = known[0]
      if (!first || first.seq > seq + 1) return undefined
      return known.slice(seq + 1 - first.seq)
    },
  }
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>
