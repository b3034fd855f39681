import type Sqlite from 'better-sqlite3'
import type { Failure } from '../failure.js'

/**
 * Lets one writer at a time use `connection`, in the order in which they asked. A transaction that could not be rolled
 * back stays open; the next writer rolls it back before it writes anything.
 */
export const createWriteLock = (connection: Sqlite.Database, failure: Failure) => {
  const rollback = connection.prepare('rollback')
  let isTaken = false
  let isLeftOpen = false
  const waiting: (() => void)[] = []

  const rollBack = () => {
    isLeftOpen = true
    if (connection.inTransaction) rollback.run()
    isLeftOpen = false
  }

  const release = () => {
    const next = waiting.shift()
    // The lock stays taken: a writer that asks in between comes after those that wait.
    if (next) next()
    else isTaken = false
  }

  return {
    /** Whether the connection may be used without the lock: nobody holds it and no transaction is open. */
    isFree: (): boolean => !isTaken && !isLeftOpen && !failure.current(),

    /** Throws, without the lock, after a `failure` and while an earlier transaction cannot be rolled back. */
    async acquire(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
      try {
        failure.check()
        if (isLeftOpen) rollBack()
      } catch (error) {
        release()
        throw error
      }
    },

    release,

    /** Rolls back the open transaction, if there is one, and releases the lock. Never throws. */
    rollBackAndRelease(): void {
      try {
        rollBack()
      } catch {
        // The next writer tries again.
      }
      release()
    },
  }
}

export type WriteLock = ReturnType<typeof createWriteLock>
