import { insertId, removeId, type IdList } from '../../user-list/id-list.js'
import { createListCache } from '../../user-list/list-cache.js'
import type { SqliteListing } from './listing.js'
import type { LoopTime } from '../../lists/loop-time.js'
import type { Snapshots } from './snapshots.js'

/** A list and the latest change that it includes. */
export interface BuiltList {
  list: IdList
  latest: number
}

/** While a list is moved, it is in order but for the `changed` users, and the `removed` ones may be missing. */
interface KeptList extends BuiltList {
  listing: SqliteListing
  changed: Set<number>
  removed: Set<number>
  /** Turns of the event loop in which it has been moved and was not finished. */
  turns: number
}

/** Found, but not all changed users have been moved yet. */
export const unfinished = Symbol('unfinished')

/** Changed users that a list takes in at most; with more it is built anew. */
const maxChanged = 1000
/** Turns that a list takes to move users at most; when users change even faster it is built anew. */
const maxTurns = 50
/** Removed users that are placed at a time: each takes about a millisecond among a million. */
const atATime = 4

const changedSince = `select distinct user_id from user_changes
  where seq > ? and kind in (select value from json_each(?)) limit ${maxChanged + 1}`

/** The lists of ids in memory. The least recently used one goes first. */
export const createIdLists = (snapshots: Snapshots, listMemory: number | undefined, loopTime: LoopTime) => {
  const lists = createListCache<KeptList>(listMemory)

  /** Notes who may have moved since the latest change of the list; false when that is unknown or too much. */
  const noteChanges = (kept: KeptList, latest: number): boolean => {
    if (snapshots.number('select min(seq) from user_changes') > kept.latest + 1) return false
    const parameters = [kept.latest, JSON.stringify(kept.listing.movedBy)]
    for (const id of snapshots.numbers({ sql: changedSince, parameters })) kept.changed.add(id)
    kept.latest = latest
    // 0 stands for a changed name of a tenant, which moves all its users.
    return !kept.changed.has(0) && kept.changed.size + kept.removed.size <= maxChanged
  }

  const remove = ({ list, changed, removed }: KeptList, id: number): void => {
    removeId(list, id)
    changed.delete(id)
    removed.add(id)
  }

  const place = ({ list, listing, removed }: KeptList): void => {
    const ids = [...removed].slice(0, atATime)
    const comesFirst = (one: number, other: number) => snapshots.number(listing.firstOfTwo, one, other) === one
    for (const id of snapshots.numbers(listing.among(ids))) insertId(list, id, comesFirst)
    for (const id of ids) removed.delete(id)
  }

  /** Moves users while the turn has time; false when it ended first. */
  const move = (kept: KeptList): boolean => {
    const { changed, removed } = kept
    const hasTime = loopTime.begin()
    // All are removed before any is placed, because positions are searched for in an ordered list.
    for (const id of changed) {
      if (!hasTime()) return false
      remove(kept, id)
    }
    while (removed.size > 0) {
      if (!hasTime()) return false
      place(kept)
    }
    return true
  }

  return {
    keep: (listing: SqliteListing, { list, latest }: BuiltList) =>
      void lists.set(listing.key, { list, latest, listing, changed: new Set(), removed: new Set(), turns: 0 }),

    /**
     * The list as of the change `latest`, in the snapshot that is being read; `unfinished` when another turn of the event loop
     * must go on with it; undefined when it must be built.
     */
    find(key: string, latest: number): IdList | typeof unfinished | undefined {
      const kept = lists.get(key)
      if (!kept || (kept.latest >= latest && kept.changed.size + kept.removed.size === 0)) return kept?.list
      // Kept again when nothing has failed.
      lists.delete(key)
      if (kept.turns > maxTurns || (kept.latest < latest && !noteChanges(kept, latest))) return undefined
      const isFinished = move(kept)
      kept.turns = isFinished ? 0 : kept.turns + 1
      lists.set(key, kept)
      return isFinished ? kept.list : unfinished
    },
  }
}

export type IdLists = ReturnType<typeof createIdLists>
