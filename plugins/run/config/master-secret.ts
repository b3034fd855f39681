import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../../db/engines.js'
import { readMasterSecret } from '../../../lib/secret-text.js'
import { readTextFile } from '../../../lib/text-file.js'
import { closedFile, createFile, unwritable } from './data-directory.js'
import type { Fault } from './settings.js'
import { fileVariableOf, readVariable } from './variables.js'

const secretLength = 32

/** The file of a first start has the master secret, unless the environment has it. */
const secretFile = (directory: string) => join(directory, 'secret')

const checkSecret = (secret: string, name: string, source: string): Fault[] =>
  secret.length < secretLength ? [{ name, source, message: `must have at least ${secretLength} characters` }] : []

/** The fault of a secret of the environment. */
export const checkGivenSecret = (variables: NodeJS.ProcessEnv): Fault[] => {
  const given = readVariable(variables, 'ROLLCALL_SECRET')
  return given === undefined ? [] : checkSecret(readMasterSecret(given), 'ROLLCALL_SECRET', 'environment')
}

/** The secret of the environment or of the file, or what is wrong with it. */
export const readSecret = (directory: string, variables: NodeJS.ProcessEnv): { secret: string; faults: Fault[] } => {
  const variable = readVariable(variables, 'ROLLCALL_SECRET')
  if (variable !== undefined) return { secret: readMasterSecret(variable), faults: checkGivenSecret(variables) }
  const source = secretFile(directory)
  const name = 'the master secret'
  try {
    const secret = readMasterSecret(readTextFile(source))
    return { secret, faults: checkSecret(secret, name, source) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES') return { secret: '', faults: [{ name, source, message: closedFile }] }
    const reason = code === 'ENOENT' ? 'is missing' : `cannot be read: ${message}`
    const advice =
      'restore the file, or set ROLLCALL_SECRET: without it no user of this database can sign in. For a new database any secret of ' +
      `${secretLength} characters will do: openssl rand -base64 ${secretLength}`
    return { secret: '', faults: [{ name, source, message: `${reason}; ${advice}` }] }
  }
}

/** Makes the secret of a first start, unless the environment has one. */
export const createFirstSecret = (directory: string, variables: NodeJS.ProcessEnv): void => {
  if (readVariable(variables, 'ROLLCALL_SECRET') !== undefined) return
  createFile(secretFile(directory), `${randomBytes(secretLength).toString('base64url')}\n`)
}

/** Makes a master secret for a `config.json` that was written by hand, unless there is one or a database that another one may have encrypted. */
export const createMissingSecret = (directory: string, variables: NodeJS.ProcessEnv, databaseUrl: string): Fault[] => {
  if (readVariable(variables, 'ROLLCALL_SECRET') !== undefined || existsSync(secretFile(directory))) return []
  // PostgreSQL cannot be asked here whether another secret has encrypted something in it.
  if (!isMissing(databaseUrl, directory)) return []
  try {
    createFirstSecret(directory, variables)
    return []
  } catch (error) {
    return [unwritable(directory, error)]
  }
}

/** Where the master secret comes from. */
export const secretSourceOf = (
  directory: string,
  variables: NodeJS.ProcessEnv,
  files: ReadonlyMap<string, string>,
): string => {
  if (files.has('ROLLCALL_SECRET')) return fileVariableOf('ROLLCALL_SECRET')
  return readVariable(variables, 'ROLLCALL_SECRET') === undefined ? secretFile(directory) : 'ROLLCALL_SECRET'
}
