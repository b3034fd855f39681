import { totalmem } from 'node:os'

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
  /** Bytes of texts of users that are remembered. */
  textMemory: number
  /** So many users of a stretch are read one by one before the whole stretch is made ready. */
  readsBeforeMaking: number
  /** Lists that the worker thread makes for a user in a minute, and requests of a user that wait for it. */
  listsPerMinute: number
  waitingPerUser: number
  /** Milliseconds that a request waits for a list of the worker thread, its making included. */
  listTime: number
}

/** A million users take some 450 MiB. */
const mostTextMemory = 640 * 2 ** 20
/** Of the machine, or of what the process is confined to. Bytes. */
const availableMemory = Math.min(totalmem(), process.constrainedMemory() || Infinity)

export const defaultLimits: Limits = {
  fewRows: 2000,
  catchUpTime: 12,
  followEvery: 1000,
  listMemory: 96 * 2 ** 20,
  textMemory: Math.min(mostTextMemory, availableMemory / 4),
  readsBeforeMaking: 20,
  listsPerMinute: Infinity,
  waitingPerUser: Infinity,
  listTime: 15_000,
}
