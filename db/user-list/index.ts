import type { Page } from '../paging.js'
import type { ShownUser } from '../repositories/user-rows.js'
import type { IdList } from './id-list.js'
import type { UserFilter, UserOrder } from './selection.js'

export type { UserFilter, UserOrder } from './selection.js'

/** A user as the list shows it. */
export interface ListedUser extends ShownUser {
  tenantName: string
  roleKeys: string[]
}

/**
 * A page of users and the number of all that match the filter, both from one snapshot of the database. Long pictures are left out
 * (`listedAvatar` of ../repositories/user-rows.ts).
 */
export interface Found {
  users: ListedUser[]
  total: number
  /** The version of the list in that snapshot; undefined when unknown. */
  version?: number
}

/** The caller who asks for a page. */
export interface Asker {
  userId: number
  /**
   * Called when the list must be built first; may throw to refuse that. When `signal` is aborted, the page is rejected with
   * its reason. `end` is called when the wait is over.
   */
  beginWaiting: () => { signal: AbortSignal; end: () => void }
}

/** The users who match a filter, in an order. It holds no users: each call reads them as they are then. */
export interface SelectedUsers {
  /** A page from a snapshot that is not older than the call. Throws what `beginWaiting` throws. */
  page(page: Page, asker: Asker): Promise<Found>
  /** The ids of all users on all pages, from such a snapshot; four bytes each. Throws what `beginWaiting` throws. */
  ids(asker: Asker): Promise<IdList>
}

export interface UserList {
  /**
   * A number that changes whenever a page may change; undefined when only `SelectedUsers.page` can tell. It is of the latest
   * session check or later: whoever asks must have checked a session since the request arrived.
   */
  version(): number | undefined
  /** Callers keep it for the other pages of the same list: each new one compiles its queries again. */
  select(filter: UserFilter, order: UserOrder[]): SelectedUsers
  /** A few users as they are now with all pictures, in the order of `ids`. Users who have been deleted are left out. */
  users(ids: number[]): Promise<ListedUser[]>
  close(): Promise<void>
}

/** Limits of time and memory. */
export interface Limits {
  /** A list is built on the main thread when that reads at most this many rows; otherwise in a worker thread. */
  maxRowsHere?: number
  /** Names are searched on the main thread when there are at most this many users; otherwise in a worker thread. */
  maxUsersSearchedHere?: number
  /** Milliseconds between two checks for names that are not indexed. */
  indexInterval?: number
  /** Bytes of the lists in memory; absent: as many as `presetListMemory` says. */
  listMemory?: number | undefined
  /** Called when a list takes more than all may, both in bytes: it is built again for the next page. */
  onTooLarge?: (size: number, memory: number) => void
}
