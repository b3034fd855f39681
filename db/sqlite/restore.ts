import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../../lib/operator-error.js'
import type { FileBackup, RestoreOptions } from '../backup.js'
import { checkContents } from './contents.js'
import { areSameFile, createPrivateFile, indexOf, logOf, putInPlace, removeDatabase } from './copies.js'
import { readIdentity } from './file-identity.js'
import { checkLog } from './same-file.js'
import { resolvePath } from './path.js'

const megabyte = 1e6

const copyFile = async (from: string, to: string, { signal, progress }: RestoreOptions) => {
  const total = Math.ceil(statSync(from).size / megabyte)
  let done = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length
      progress('MB copied', Math.min(total, Math.ceil(done / megabyte)), total)
      next(null, chunk)
    },
  })
  createPrivateFile(to)
  await pipeline(createReadStream(from), counter, createWriteStream(to), { signal })
}

/** SQLite would delete the log of a file that does not begin like a database. */
const refuseOtherFile = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    if (readIdentity(file) === undefined) throw new Error('it is not a database')
  } finally {
    closeSync(file)
  }
}

/**
 * Makes the database in place complete without its log, and returns what lets other processes use it again. Throws when a
 * process has it open.
 */
const lockOut = (path: string): (() => void) => {
  refuseOtherFile(path)
  checkLog(path)
  const file = new Sqlite(path, { fileMustExist: true, timeout: 1000 })
  try {
    file.pragma('locking_mode = exclusive')
    // SQLite refuses this while another connection is open.
    file.pragma('journal_mode = delete')
    file.exec('begin exclusive')
    return () => file.close()
  } catch (error) {
    file.close()
    throw error
  }
}

const isInUse = (error: unknown) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** The same for a database that may be damaged: whether a process uses one that cannot be opened, nobody can tell. */
const lockOutIfPossible = (path: string, force: boolean): (() => void) => {
  try {
    return existsSync(path) ? lockOut(path) : () => undefined
  } catch (cause) {
    if (isInUse(cause)) {
      throw new OperatorError(
        `A process uses ${path}. Stop the service and other commands first. Nothing has been changed.`,
        { cause },
      )
    }
    if (force) return () => undefined
    throw new OperatorError(
      `${path} cannot be opened: ${(cause as Error).message}. So nobody can tell whether a process uses it. ` +
        'Stop every process that does, then repeat this with --force. Nothing has been changed.',
      { cause },
    )
  }
}

/**
 * Gives the database a further name. A file system without hard links gives it another one: there the old name is free for the moment
 * until the restored database has it.
 */
const addName = (path: string, name: string): void => {
  try {
    linkSync(path, name)
  } catch {
    renameSync(path, name)
  }
}

/** Gives the files of a database other names beside it, and returns that of the database and what undoes it. */
const setAside = (path: string, time: number): { name: string | null; undo: () => void } => {
  const name = `${path}.before-${new Date(time).toISOString().replaceAll(':', '-')}`
  const moves: [from: string, to: string][] = []
  const isThere = existsSync(path)
  if (isThere) addName(path, name)
  if (!existsSync(path) && isThere) moves.push([name, path])
  if (existsSync(logOf(path))) {
    renameSync(logOf(path), logOf(name))
    moves.push([logOf(name), logOf(path)])
  }
  rmSync(indexOf(path), { force: true })
  return {
    name: isThere ? name : null,
    undo: () => moves.forEach(([from, to]) => renameSync(from, to)),
  }
}

export const restore: FileBackup['restore'] = async (address, directory, file, options) => {
  const path = resolvePath(address, directory)
  const source = resolve(file)
  if (!existsSync(source)) throw new OperatorError(`There is no file ${source}.`)
  if (areSameFile(source, path)) throw new OperatorError(`${source} is the database itself.`)
  if ((statSync(logOf(source), { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new OperatorError(
      `${logOf(source)} belongs to ${source}, which is not complete without it: it is no finished backup.`,
    )
  }
  // First, so that nobody waits for a copy that cannot be used.
  lockOutIfPossible(path, options.force)()
  const draft = `${path}.${process.pid}.restore`
  try {
    await copyFile(source, draft, options)
    const contents = checkContents(draft, source)
    await options.check(`sqlite:${draft}`)
    options.signal.throwIfAborted()
    const release = lockOutIfPossible(path, options.force)
    try {
      const { name: previous, undo } = setAside(path, Date.now())
      try {
        putInPlace(draft, path, { replace: true })
      } catch (error) {
        undo()
        throw error
      }
      return { ...contents, previous }
    } finally {
      release()
    }
  } finally {
    removeDatabase(draft)
  }
}
