import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * The identity of a database is a random number in its first page: `user_version` holds the current one,
 * `application_id` the previous one. It changes each time the write-ahead log restarts, and the log has a copy of that
 * page. A log belongs to a file when it has the identity of the file. SQLite does not check this and would apply the
 * log to any database.
 */
const header = { magic: 'SQLite format 3\0', identity: 60, previous: 68, length: 100 }
/** Frames that are read at a time. One read for each frame of a full log held the event loop for several milliseconds. */
const framesPerRead = 64
/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const log = { header: 32, frame: 24, pageSize: 8, sequence: 12, salts: 16, frameSalts: 8, saltsLength: 8 }

/** Reads the identity from the file itself, not from the log; undefined when it is not a database. */
export const readIdentity = (file: number): number | undefined => {
  const page = Buffer.alloc(header.length)
  const isWhole = readSync(file, page, 0, header.length, 0) === header.length
  return isWhole && page.toString('latin1', 0, 16) === header.magic ? page.readInt32BE(header.identity) : undefined
}

/** What changes each time the log at `path` restarts; empty when there is no log. */
export const readLogStart = (path: string): string => {
  if (!existsSync(path)) return ''
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(log.header)
    const isWhole = readSync(file, bytes, 0, log.header, 0) === log.header
    return isWhole ? bytes.toString('hex', log.sequence, log.salts + log.saltsLength) : ''
  } finally {
    closeSync(file)
  }
}

/** Reads the identities in the log at `path`; none when it is empty or has no copy of the first page. */
function* readLog(path: string): Generator<number> {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(log.header)
    if (readSync(file, start, 0, log.header, 0) < log.header) return
    const frameLength = log.frame + start.readUInt32BE(log.pageSize)
    const salts = start.subarray(log.salts, log.salts + log.saltsLength)
    const frames = Buffer.allocUnsafe(framesPerRead * frameLength)
    for (let position = log.header; ; position += frames.length) {
      const length = readSync(file, frames, 0, frames.length, position)
      for (let place = 0; place < frames.length; place += frameLength) {
        const frame = frames.subarray(place, Math.min(place + frameLength, length))
        // The rest is left from before the log restarted.
        if (!frame.subarray(log.frameSalts, log.frameSalts + log.saltsLength).equals(salts)) return
        if (frame.readUInt32BE(0) !== 1 || frame.length < log.frame + header.length) continue
        const page = frame.subarray(log.frame)
        yield* [page.readInt32BE(header.identity), page.readInt32BE(header.previous)]
      }
    }
  } finally {
    closeSync(file)
  }
}

/** Another process may restart the log between two reads: a mismatch counts only when it is seen repeatedly. */
const looks = 5
const betweenLooks = 10

/** Whether the log beside the open database `file` at `path` belongs to it or has no identity. */
export const isLogOf = (file: number, path: string): boolean => {
  for (let look = 0; look < looks; look++) {
    const identity = readIdentity(file)
    let isEmpty = true
    for (const carried of readLog(`${path}-wal`)) {
      if (carried === identity) return true
      isEmpty = false
    }
    if (isEmpty) return true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenLooks)
  }
  return false
}

/** Changes nothing while another process writes. */
const write = (connection: Sqlite.Database, choose: (identity: number) => { previous: number; identity: number }) => {
  const change = connection.transaction(() => {
    const { previous, identity } = choose(connection.pragma('user_version', { simple: true }) as number)
    connection.pragma(`application_id = ${previous}`)
    connection.pragma(`user_version = ${identity}`)
  })
  try {
    change.immediate()
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error
  }
}

/** Gives the database a new identity. Must be called before all of the log is moved to it. */
export const renewIdentity = (connection: Sqlite.Database): void =>
  write(connection, (previous) => ({ previous, identity: randomInt(1, 2 ** 31) }))

/** Writes the identity to the log. Must be called when all of the log has been moved to the database. */
export const carryIdentity = (connection: Sqlite.Database): void =>
  write(connection, (identity) => ({ previous: identity, identity }))
