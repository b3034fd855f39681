import { mkdirSync, statSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { moveToNewName } from '../../../lib/new-name.js'
import type { Fault } from './settings.js'
import { readVariable } from './variables.js'

/** File modes: only the owner can read the secret, the configuration and the database. */
const ownerOnly = { directory: 0o700, file: 0o600 }

/** Absolute path of the data directory. */
export const dataDirectory = (variables: NodeJS.ProcessEnv): string =>
  resolve(readVariable(variables, 'DATA_DIR') ?? 'data')

/** Creates the data directory with those above it, unless it is there. */
export const makeDirectory = (directory: string): void => {
  mkdirSync(directory, { recursive: true, mode: ownerOnly.directory })
}

/** Creates a file atomically. A file that another process has created meanwhile stays. */
export const createFile = (path: string, content: string): void => {
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, content, { mode: ownerOnly.file })
  try {
    moveToNewName(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

const advice = 'Make this user its owner, or set another DATA_DIR'

/** The fault of a data directory into which this user may not look: to `existsSync` it is empty. */
export const closedTo = (directory: string): Fault[] => {
  try {
    statSync(join(directory, 'config.json'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      return [{ name: 'DATA_DIR', source: directory, message: `cannot be read by this user. ${advice}` }]
  }
  return []
}

/** What is wrong with a file of the data directory that this user may not read. */
export const closedFile = 'cannot be read by this user; make it the owner, with the mode 600'

/** The fault of a data directory in which a file could not be created. */
export const unwritable = (directory: string, error: unknown): Fault => {
  const { code, message } = error as NodeJS.ErrnoException
  const hint = code === 'EACCES' ? `. ${advice}` : ''
  return { name: 'DATA_DIR', source: directory, message: `cannot be written: ${message}${hint}` }
}
