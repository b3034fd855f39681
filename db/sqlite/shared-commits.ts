import Sqlite from 'better-sqlite3'
import type { Failure } from '../failure.js'
import type { createMutex } from './mutex.js'

/** Whoever is first waits for so many others at most. */
const longestGroup = 32

interface Group {
  /** Whose work is done. */
  members: number
  committed: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

const undone = (cause?: unknown) =>
  Object.assign(new Sqlite.SqliteError('The transaction has been undone', 'SQLITE_IOERR'), { cause })

const createGroup = (): Group => {
  let [resolve, reject]: [Group['resolve'], Group['reject']] = [() => undefined, () => undefined]
  const committed = new Promise<void>((onCommit, onError) => ([resolve, reject] = [onCommit, onError]))
  // It may be that nobody is left to hear of it.
  committed.catch(() => undefined)
  return { members: 0, committed, resolve, reject }
}

/**
 * Writers that wait for one another share a transaction and its commit, which writes a page once, however many have
 * changed it. Each is a savepoint in that of the first, to be undone for itself; none is answered for before the commit.
 * `turn` is held for as long as one is open.
 */
export const createSharedCommits = (
  connection: Sqlite.Database,
  turn: ReturnType<typeof createMutex>,
  failure: Failure,
) => {
  const statement = {
    commit: connection.prepare('commit'),
    rollback: connection.prepare('rollback'),
    begin: connection.prepare('savepoint member'),
    release: connection.prepare('release member'),
    undo: connection.prepare('rollback to member'),
  }
  let isTaken = false
  /** Whether a transaction that could not be undone may still be open. */
  let isLeftOpen = false
  let group: Group | undefined
  const waiting: ((isIn: boolean) => void)[] = []

  const close = () => {
    isTaken = false
    group = undefined
    turn.release()
    for (const next of waiting.splice(0)) next(false)
  }

  const rollBack = () => {
    isLeftOpen = true
    if (connection.inTransaction) statement.rollback.run()
    isLeftOpen = false
  }

  /** Ends the group with nothing kept, which everybody in it is told. */
  const undoAll = (error: unknown, current = group) => {
    try {
      rollBack()
    } catch {
      // The next writer tries again before it writes.
    }
    current?.reject(error)
    close()
  }

  const commit = (current: Group) => {
    try {
      statement.commit.run()
    } catch (error) {
      undoAll(error, current)
      return
    }
    current.resolve()
    close()
  }

  /** The next one joins, or else it is over. */
  const goOn = (current: Group) => {
    if (!connection.inTransaction) {
      // So SQLite does when a disk is full, for example.
      undoAll(undone(), current)
      return
    }
    const next = current.members < longestGroup ? waiting.shift() : undefined
    if (next) next(true)
    else commit(current)
  }

  return {
    /**
     * Waits until the caller may write; true when that is in the open transaction of others. The caller leaves again,
     * abandons or undoes. Throws, with nothing to leave, while an earlier transaction cannot be undone, and after a
     * `failure`.
     */
    async enter(): Promise<boolean> {
      while (isTaken) if (await new Promise<boolean>((resolve) => waiting.push(resolve))) return true
      isTaken = true
      await turn.acquire()
      try {
        failure.check()
        if (isLeftOpen) rollBack()
      } catch (error) {
        close()
        throw error
      }
      return false
    },

    /** Whether the connection may be used without waiting: nobody writes, and nothing is in the way. */
    isIdle: (): boolean => !isLeftOpen && !turn.isTaken() && !failure.current(),

    /** A transaction has begun, by whoever is not in one of others. */
    open(): void {
      group = createGroup()
    },

    /** What one who is in the transaction of others writes from now on can be undone. */
    save: () => statement.begin.run(),

    /** Nothing has come of it. */
    abandon(): void {
      if (group) goOn(group)
      else close()
    },

    /** The work of one is done; resolves when it is committed. Throws when that fails, for all who share the commit. */
    async leave({ isSaved = false } = {}): Promise<void> {
      if (!group) {
        close()
        return
      }
      const { committed } = group
      try {
        if (isSaved && connection.inTransaction) statement.release.run()
      } catch (error) {
        undoAll(undone(error))
        throw error
      }
      group.members++
      goOn(group)
      await committed
    },

    /** Undoes what one has done, or, when that fails, what all have done. Never throws: the lock would stay taken. */
    undo({ isSaved = false } = {}): void {
      try {
        if (connection.inTransaction && isSaved) {
          statement.undo.run()
          statement.release.run()
        } else {
          rollBack()
        }
      } catch (error) {
        undoAll(undone(error))
        return
      }
      if (group) goOn(group)
    },
  }
}

export type SharedCommits = ReturnType<typeof createSharedCommits>
