/** What the list may take of time and memory. */
export interface Limits {
  /** A list whose making looks at no more than so many rows is made at once; any other in a worker thread. */
  fewRows: number
  /** Milliseconds that a list may take to catch up with what was written meanwhile; else it is made anew. */
  catchUpTime: number
  /** Milliseconds between two looks at what was written while nobody asks. */
  followEvery: number
  /** Bytes of lists that are remembered. */
  listMemory: number
  /** Lists that the worker thread makes for a user in a minute, and requests of a user that wait for it. */
  listsPerMinute: number
  waitingPerUser: number
  /** Milliseconds that a request waits for a list of the worker thread, its making included. */
  listTime: number
}

export const defaultLimits: Limits = {
  fewRows: 2000,
  catchUpTime: 12,
  followEvery: 1000,
  // A list of a million users takes 4 MiB.
  listMemory: 64 * 2 ** 20,
  listsPerMinute: Infinity,
  waitingPerUser: Infinity,
  listTime: 15_000,
}
