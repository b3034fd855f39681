import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes: https://www.sqlite.org/fileformat2.html#walformat */
const [logHeader, frameHeader] = [32, 24]

/** How many transactions the log of the SQLite file in a data directory has, of those since it was begun anew. */
export const commitsIn = (directory: string): number => {
  const log = readFileSync(join(directory, 'rollcall.db-wal'))
  const pageSize = log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let commits = 0
  for (let at = logHeader; at + frameHeader + pageSize <= log.length; at += frameHeader + pageSize) {
    // A log that is begun anew has other salts, and frames of before behind its own.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    // The size of the database, which only the last frame of a transaction has.
    if (log.readUInt32BE(at + 4) > 0) commits++
  }
  return commits
}
