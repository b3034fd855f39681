import { chownSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { moveToNewName } from '../../lib/new-name.js'

const ownerOnly = 0o600

/** The names of a database file and of what SQLite keeps beside it. */
export const logOf = (path: string) => `${path}-wal`
export const indexOf = (path: string) => `${path}-shm`

/** Creates an empty file that only its owner can read. Made by root, it belongs to the owner of its directory. */
export const createPrivateFile = (path: string): void => {
  closeSync(openSync(path, 'wx', ownerOnly))
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  chownSync(path, uid, gid)
}

export const removeDatabase = (path: string): void => {
  for (const file of [path, logOf(path), indexOf(path)]) rmSync(file, { force: true })
}

/** Waits until a file or a directory is on the disk. */
const flush = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A new name survives a power cut only when the directory is on the disk, too. */
export const flushDirectory = (directory: string): void => {
  // Windows neither allows nor needs this.
  if (process.platform !== 'win32') flush(directory)
}

/** Renames a complete file, so that `path` is at each moment either the old or the new one. Survives a power cut. */
export const putInPlace = (complete: string, path: string, { replace }: { replace: boolean }): void => {
  flush(complete)
  if (replace) renameSync(complete, path)
  else moveToNewName(complete, path)
  flushDirectory(dirname(path))
}

/** Whether both are the same file, also under different names. */
export const areSameFile = (one: string, other: string): boolean => {
  if (!existsSync(one) || !existsSync(other)) return false
  const [a, b] = [statSync(one), statSync(other)]
  return a.ino === b.ino && a.dev === b.dev
}
