import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../../lib/operator-error.js'
import type { BackupOptions, FileBackup } from '../backup.js'
import { checkContents } from './contents.js'
import { areSameFile, createPrivateFile, indexOf, logOf, putInPlace, removeDatabase } from './copies.js'
import { openReader } from './reader.js'
import { restore } from './restore.js'
import { checkLog } from './same-file.js'
import { resolvePath } from './path.js'

/** Pages copied at a time, between two looks at Ctrl-C. */
const stepPages = 1000
/** Time to wait for another process that holds the file. Milliseconds. */
const patience = 5000

/** Copies the database at `path` as it is at this moment. */
const copyPages = async (path: string, target: string, { signal, progress }: BackupOptions) => {
  checkLog(path)
  const source = openReader(path, patience)
  try {
    // Without the transaction each write of a server would make SQLite begin the copy anew.
    source.exec('begin')
    source.prepare('select 1 from sqlite_schema').get()
    await source.backup(target, {
      progress({ totalPages, remainingPages }) {
        signal.throwIfAborted()
        progress('Pages copied', totalPages - remainingPages, totalPages)
        return stepPages
      },
    })
  } finally {
    source.close()
  }
}

/** Other causes, such as a full disk, are for operators, too. */
const toOperatorError = (error: unknown, path: string, target: string): unknown =>
  error instanceof Sqlite.SqliteError
    ? new OperatorError(`${path} could not be copied to ${target}: ${error.message}. Nothing has been written.`, {
        cause: error,
      })
    : error

const backUp: FileBackup['backUp'] = async (address, directory, file, options) => {
  const path = resolvePath(address, directory)
  if (!existsSync(path)) throw new OperatorError(`There is no database at ${path}.`)
  const target = resolve(file)
  if ([path, logOf(path), indexOf(path)].some((used) => areSameFile(used, target))) {
    throw new OperatorError(`${target} is the database itself: name another file.`)
  }
  if (!existsSync(dirname(target))) throw new OperatorError(`There is no directory ${dirname(target)}.`)
  const refuseExisting = () => {
    if (!options.force && existsSync(target)) {
      throw new OperatorError(`${target} exists already. Name another file, or use --force to replace it.`)
    }
  }
  refuseExisting()
  const draft = `${target}.${process.pid}.part`
  createPrivateFile(draft)
  try {
    await copyPages(path, draft, options)
    const contents = checkContents(draft, 'The copy')
    options.signal.throwIfAborted()
    refuseExisting()
    putInPlace(draft, target, { replace: options.force })
    return contents
  } catch (error) {
    throw toOperatorError(error, path, target)
  } finally {
    removeDatabase(draft)
  }
}

export const fileBackup: FileBackup = { backUp, restore }
