import type { Clock } from '../../../lib/clock.js'

const hour = 3600 * 1000
const toMiB = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

/** Writes one line an hour while lists find no room in memory: each of their pages is then built from all users. */
export const createLargeListLog = (log: { warn(details: object, message: string): void }, clock: Clock) => {
  let toldUntil = -Infinity
  return (size: number, memory: number): void => {
    const now = clock.now()
    if (now < toldUntil) return
    toldUntil = now + hour
    const details = { listMiB: toMiB(size), memoryMiB: toMiB(memory) }
    log.warn(
      details,
      'a list of users does not fit into its memory and is read for each page: raise userList.memoryMiB',
    )
  }
}
