import { LRUCache } from 'lru-cache'
import type { ListReader, Steps } from '../../../db/lists/steps.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Limits } from './list-limits.js'

/** Searches that count as known: paging on in them is no new search. */
const maxKnown = 1000

/** A command has no user. */
const noUser = 0

/** Who asks for a page. */
export interface ListCaller {
  /** Undefined for a command. */
  caller: SessionOwner | undefined
  /** Aborted when the client closes the connection; absent for a command. */
  closed?: (() => AbortSignal) | undefined
}

/**
 * Limits what the lists other than the user list take. A page that takes more than a step counts as a list of its user, unless
 * `search` has been read lately for that user.
 */
export const createReadList = (readList: ListReader, limits: Pick<Limits, 'wait' | 'count'>) => {
  const known = new LRUCache<string, true>({ max: maxKnown })

  /** Throws `too_many_requests` and, after too long a wait, `unavailable`. */
  return async <T>({ caller, closed }: ListCaller, search: object, read: (steps: Steps) => Promise<T>): Promise<T> => {
    const userId = caller?.user.id ?? noUser
    const key = JSON.stringify([userId, search])
    const reader = {
      userId,
      beginWaiting: () => limits.wait(userId, closed?.() ?? new AbortController().signal),
      countList() {
        if (known.has(key)) return
        limits.count(userId)
        known.set(key, true)
      },
    }
    return readList(reader, read)
  }
}

export type ReadList = ReturnType<typeof createReadList>
