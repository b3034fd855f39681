/** What the list may take of time and memory. */
export interface Limits {
  /** A list whose making looks at no more than so many rows is made at once; any other in a worker thread. */
  fewRows: number
  /** Milliseconds that a list may take to catch up with what was written meanwhile; else it is made anew. */
  catchUpTime: number
  /** Bytes of lists that are remembered. */
  listMemory: number
  /** Bytes of rendered users that are remembered. */
  userMemory: number
}

export const defaultLimits: Limits = {
  fewRows: 2000,
  catchUpTime: 12,
  listMemory: 96 * 2 ** 20,
  userMemory: 64 * 2 ** 20,
}
