import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import type { ChangeFeed } from '../../user-cache.js'
import { everybody, listedKinds } from './change-kinds.js'
import { readChanges, type AllChanges, type Mark } from './changes-since.js'

/** Users whose latest change is remembered. */
const maxUsers = 20_000

/** Remembers for each user the number of the answer that told its last change. */
const createLatestChanges = () => {
  /** The latest change is last. */
  const latest = new Map<number, number>()
  /** All users may have changed until then. */
  let unknownUntil = 0
  /** The latest change of what the list shows. */
  let listChange = 0
  const forget = (answer: number) => {
    latest.clear()
    unknownUntil = answer
  }
  const add = (userId: number, answer: number) => {
    latest.delete(userId)
    latest.set(userId, answer)
    const [oldest] = latest
    if (!oldest || latest.size <= maxUsers) return
    latest.delete(oldest[0])
    unknownUntil = oldest[1]
  }
  return {
    /** After an error. */
    forgetAll(answer: number) {
      forget(answer)
      listChange = answer
    },
    /** Adds what the answer with the number `answer` tells. */
    add(changed: AllChanges['changed'], answer: number): void {
      if (!changed || listedKinds.some((kind) => changed[kind])) listChange = answer
      const ids = Object.values(changed ?? {}).flat()
      if (!changed || ids.includes(everybody)) forget(answer)
      else for (const id of ids) add(id, answer)
    },
    listChange: () => listChange,
    isUnchanged: (userId: number, since: number) => since >= unknownUntil && since >= (latest.get(userId) ?? 0),
  }
}

export interface PostgresChangeFeed extends ChangeFeed {
  /** Of the latest answer: a number that changes with what the user list shows. Undefined when nothing is known. */
  listVersion: () => number | undefined
}

/**
 * Asks the log what has changed. All who ask in the same turn of the event loop share one question, and one is under way at a
 * time: who comes meanwhile shares the next, because the answer must be of a later moment than the request.
 *
 * After an error nothing that was read before is current any more. Those who wait for the next question get the same error: the
 * server would let them wait again. The question after that begins anew.
 */
export const createChangeFeed = (db: Kysely<Tables>): PostgresChangeFeed => {
  const latest = createLatestChanges()
  /** Counts the answers and the errors. */
  let count = 0
  let since: Mark | undefined
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<number> | undefined

  const ask = async (): Promise<number> => {
    try {
      const { mark, changed } = await readChanges(db, since)
      since = mark
      latest.add(changed, ++count)
      return count
    } catch (error) {
      since = undefined
      latest.forgetAll(++count)
      throw error
    }
  }

  const askNext = async (): Promise<number> => {
    try {
      await Promise.all([running, setImmediate()])
    } finally {
      next = undefined
    }
    const answer = ask()
    running = answer
    answer.catch(() => (running = Promise.resolve()))
    return answer
  }

  return {
    now: () => (next ??= askNext()),
    isUnchanged: (userId, since) => latest.isUnchanged(userId, since),
    listVersion: () => (count > 0 ? latest.listChange() : undefined),
  }
}
