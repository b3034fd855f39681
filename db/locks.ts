/**
 * What a transaction locks before its first query, always in this order, so that no two transactions wait for each other.
 * SQLite has one writer at a time and needs none of it.
 */
export interface Locks {
  /** Only one such transaction runs at a time. It is the only lock of a transaction that names none. */
  administration?: true
  /** A tenant that must stay as it is: enabled or disabled. */
  tenant?: number
  /** A tenant that is enabled or disabled. */
  changedTenant?: number
  /** A user whose account, password, linked identities or number of sessions is checked or changed. */
  user?: number
  /** A session that moves on to its next generation. */
  session?: string
}
