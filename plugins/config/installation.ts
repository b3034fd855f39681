import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { environment } from '../../schemas/environment.js'
import { firstClients, type Settings } from '../../schemas/settings.js'
import { ConfigurationError, fillSettings, readSettings, type Fault } from './settings.js'

/** What a process needs to know before it can build the app. */
export interface Installation {
  /** Absolute path of the data directory. */
  directory: string
  settings: Settings
  /** Encrypts signing keys and tokens at rest. */
  secret: string
  /** Return captcha answers in responses; never in production. */
  devEcho: boolean
  /** Password of the first administrator; absent means a random one. */
  adminPassword: string | undefined
}

const secretLength = 32
/** Only the owner reads the secret, the configuration and the database. */
const ownerOnly = { directory: 0o700, file: 0o600 }

/** Variables that a later version will read: to ignore them now would promise what is not there. */
const notYet: Record<string, string> = {
  REDIS_URL: 'this version keeps short-lived state in the database; unset it',
}

const unknownVariables = (variables: NodeJS.ProcessEnv): Fault[] => {
  const known = new Set(environment.map((variable) => variable.name))
  const ours = (name: string) => name.startsWith('ROLLCALL_') && !name.startsWith('ROLLCALL_TEST_')
  return Object.keys(variables).flatMap((name) => {
    if (ours(name) && !known.has(name))
      return [{ name, source: 'environment', message: 'is not a variable of Rollcall' }]
    const message = variables[name] ? notYet[name] : undefined
    return message === undefined ? [] : [{ name, source: 'environment', message }]
  })
}

const readFile = (file: string): { content?: unknown; faults: Fault[] } => {
  try {
    return { content: JSON.parse(readFileSync(file, 'utf8')), faults: [] }
  } catch (error) {
    const message =
      error instanceof SyntaxError
        ? `is not valid JSON: ${error.message}`
        : `cannot be read: ${(error as Error).message}`
    return { faults: [{ name: 'the whole file', source: file, message }] }
  }
}

const checkDevEcho = (variables: NodeJS.ProcessEnv): Fault[] => {
  const value = variables['ROLLCALL_DEV_ECHO'] ?? ''
  const fault = (message: string) => [{ name: 'ROLLCALL_DEV_ECHO', source: 'environment', message }]
  if (!['', '0', '1'].includes(value)) return fault('must be 0 or 1')
  if (value === '1' && variables['NODE_ENV'] === 'production') {
    return fault('shows captcha answers to everybody and is refused with NODE_ENV=production')
  }
  return []
}

const readSecret = (directory: string, variables: NodeJS.ProcessEnv): { secret: string; faults: Fault[] } => {
  const fromEnvironment = variables['ROLLCALL_SECRET']
  const file = join(directory, 'secret')
  const source = fromEnvironment ? 'environment' : file
  const name = fromEnvironment ? 'ROLLCALL_SECRET' : 'the master secret'
  const fault = (message: string) => ({ secret: '', faults: [{ name, source, message }] })
  if (!fromEnvironment && !existsSync(file)) {
    return fault('is missing; restore the file, or set ROLLCALL_SECRET. Without it nobody can sign in')
  }
  const secret = (fromEnvironment || readFileSync(file, 'utf8')).trim()
  return secret.length < secretLength ? fault(`must have at least ${secretLength} characters`) : { secret, faults: [] }
}

/** Creates the data directory with a configuration and, unless the environment brings one, a master secret. */
const createDirectory = (directory: string, variables: NodeJS.ProcessEnv): void => {
  mkdirSync(directory, { recursive: true, mode: ownerOnly.directory })
  const create = (name: string, content: string) => {
    writeFileSync(join(directory, name), content, { flag: 'wx', mode: ownerOnly.file })
  }
  if (!variables['ROLLCALL_SECRET']) create('secret', `${randomBytes(secretLength).toString('base64url')}\n`)
  // The configuration comes last: it is what marks the directory as complete.
  create('config.json', `${JSON.stringify(fillSettings({ clients: firstClients }), null, 2)}\n`)
}

/** The data directory that `DATA_DIR` names, as an absolute path. */
export const dataDirectory = (variables: NodeJS.ProcessEnv): string => resolve(variables['DATA_DIR'] || 'data')

/**
 * Reads the configuration from the environment over `DATA_DIR/config.json`; with `create`, a first start makes the
 * data directory. Throws a `ConfigurationError` that lists every fault; a start that is refused has created nothing.
 */
export const openInstallation = (variables: NodeJS.ProcessEnv, options: { create: boolean }): Installation => {
  const directory = dataDirectory(variables)
  const file = join(directory, 'config.json')
  const isNew = !existsSync(file)
  const faults = [...unknownVariables(variables), ...checkDevEcho(variables)]
  if (isNew && !options.create) {
    throw new ConfigurationError([
      { name: 'DATA_DIR', source: directory, message: 'holds no Rollcall data yet; run `rollcall init` first' },
    ])
  }
  // Checked before anything is written.
  const planned = isNew ? { content: fillSettings({ clients: firstClients }) as unknown, faults: [] } : readFile(file)
  faults.push(...planned.faults)
  const read = planned.content === undefined ? { faults: [] } : readSettings(planned.content, file, variables)
  faults.push(...read.faults)
  if (faults.length === 0 && isNew) createDirectory(directory, variables)
  const secret = faults.length === 0 || !isNew ? readSecret(directory, variables) : { secret: '', faults: [] }
  faults.push(...secret.faults)
  if (faults.length > 0 || !('settings' in read) || !read.settings) throw new ConfigurationError(faults)
  return {
    directory,
    settings: read.settings,
    secret: secret.secret,
    devEcho: variables['ROLLCALL_DEV_ECHO'] === '1',
    adminPassword: variables['ROLLCALL_ADMIN_PASSWORD'] || undefined,
  }
}
