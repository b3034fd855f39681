import { totalmem } from 'node:os'

/** Six lists of a million users. Bytes. */
const least = 24 * 2 ** 20
/** Lists of all users that find room together: in two orders, and one of many users. */
const listsOfAll = 3
const bytesOfId = 4
/** Bytes of an entry beside its ids. */
export const overhead = 1000

/**
 * What the process may use, as the limit of its container says; 0 and huge numbers stand for none. Asked once, because Node.js reads files
 * for it, and lists are replaced with each change of a user.
 */
const memoryOfProcess = Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** Bytes that all lists may take where no setting says it, when the largest takes `largest`. */
export const presetListMemory = (largest: number): number =>
  Math.max(least, Math.min(memoryOfProcess / 4, listsOfAll * largest))

/** Bytes of a list of so many users. */
export const bytesOfList = (users: number): number => users * bytesOfId + overhead
