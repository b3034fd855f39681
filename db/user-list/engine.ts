import type { RunFairly } from '../lists/fair-limiter.js'
import type { IdList, Slice } from './id-list.js'
import type { ListedUser } from './index.js'
import type { Listing } from './listing.js'

/** Users who may have moved in a list since it was read; undefined when they are unknown, or more than `maxMoved`. */
export type Moved = number[] | undefined

/** With more of them a list is built anew. */
export const maxMoved = 500

/** A list, and the moment between two commits of which it is. */
export interface MarkedList<Mark> {
  ids: IdList
  mark: Mark
}

/** A moment, and who may have moved since another one. */
export interface Changes<Mark> {
  mark: Mark
  moved: Moved
}

/** What an engine answers of one moment. */
export interface ListSnapshot<Mark> {
  changesSince: (mark: Mark, listing: Listing) => Promise<Changes<Mark>>
  /** Some users in the order of a list: only those whom its filter lets through, or all who exist. */
  inOrder: (listing: Listing, ids: number[], which: { matching: boolean }) => Promise<number[]>
  /** Users as a page shows them, in the order of `ids`. */
  users: (ids: number[]) => Promise<ListedUser[]>
}

/** What the user list needs of an engine. A `Mark` says which commits a snapshot sees. */
export interface ListEngine<Mark> {
  /** Who may have moved since `mark`, and the users of a page: of one moment that is not before the call. */
  read: (mark: Mark, listing: Listing, ids: number[]) => Promise<Changes<Mark> & { users: ListedUser[] }>
  /**
   * The list, and the users of a slice of it: of one moment. `current` returns another list as it is now, if it is in memory; an engine that
   * needs no other list does not ask for it. May give up, with the reason of `signal`, when that is aborted.
   */
  build: (
    listing: Listing,
    slice: Slice,
    signal: AbortSignal,
    current: (listing: Listing) => Promise<MarkedList<Mark> | undefined>,
  ) => Promise<MarkedList<Mark> & { users: ListedUser[] }>
  /** Runs `work`, whose answers are all of one moment. */
  inSnapshot: <T>(work: (snapshot: ListSnapshot<Mark>) => Promise<T>) => Promise<T>
  /** How many lists are built, and brought up to date, at once. */
  limiters: Record<'build' | 'follow', RunFairly>
  /** Users with all pictures, as they are now, in the order of `ids`. */
  users: (ids: number[]) => Promise<ListedUser[]>
  /** See `UserList.version`. */
  version: () => number | undefined
  close: () => Promise<void>
}
