import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'lossless-json'
import { isMissing } from '../../../db/engines.js'
import { darkened } from '../../../lib/contrast.js'
import { isLoopback } from '../../../lib/loopback.js'
import { moveToNewName } from '../../../lib/new-name.js'
import { readMasterSecret, readSecretText } from '../../../lib/secret-text.js'
import { readTextFile } from '../../../lib/text-file.js'
import type { Settings } from '../../../schemas/settings.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { ConfigurationError, dropRetired, fillSettings, readSettings, type Fault } from './settings.js'
import { readSecretFiles } from './secret-files.js'
import { fileVariableOf, readVariable, unknownVariables, withoutServices } from './variables.js'
import { withOneName } from './service-name.js'

/** The configuration of a process. */
export interface Installation {
  /** Absolute path of the data directory. */
  directory: string
  settings: Settings
  /** Encrypts signing keys and tokens at rest. */
  secret: string
  /** Where the secret comes from: `ROLLCALL_SECRET`, `ROLLCALL_SECRET_FILE`, or the path of the file in the data directory. */
  secretSource: string
  /** Whether responses contain captcha answers and one-time codes; never in production. */
  devEcho: boolean
  /** Password of the first administrator; absent means a random one. */
  adminPassword: string | undefined
  /** Settings of earlier versions that `config.json` still has and that are ignored. */
  retiredSettings: string[]
  /** `branding.color` of the configuration, where the settings have a darker one in its place. */
  lightColor?: string
}

const secretLength = 32
/** File modes: only the owner can read the secret, the configuration and the database. */
const ownerOnly = { directory: 0o700, file: 0o600 }

/** Line and column of a character, both counted from 1. */
const placeOf = (text: string, position: number): string => {
  const lines = text.slice(0, position).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** What is wrong with `config.json` by the code of the error. */
const unreadable: Record<string, string> = {
  EISDIR: 'is a folder; remove it, or mount the file that is meant',
  EACCES: 'cannot be read by this user; make it the owner, with the mode 600',
}

const parseFile = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The errors of this parser always contain a position.
    return parse(text)
  }
}

const readFile = (file: string): { content?: unknown; faults: Fault[] } => {
  const fault = (message: string) => ({ faults: [{ name: 'the whole file', source: file, message }] })
  let text: string
  try {
    text = readTextFile(file)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return fault(unreadable[code] ?? `cannot be read: ${message}`)
  }
  try {
    return { content: parseFile(text), faults: [] }
  } catch (error) {
    const { message } = error as Error
    const [sentence, position] = /^(.*?) at position (\d+)/s.exec(message)?.slice(1) ?? []
    const place = position === undefined ? '' : ` at ${placeOf(text, Number(position))}`
    return fault(`is not valid JSON${place}: ${sentence ?? message}`)
  }
}

const checkDevEcho = (variables: NodeJS.ProcessEnv, host: string): Fault[] => {
  const value = readVariable(variables, 'ROLLCALL_DEV_ECHO') ?? '0'
  const fault = (message: string) => [{ name: 'ROLLCALL_DEV_ECHO', source: 'environment', message }]
  if (!['0', '1'].includes(value)) return fault('must be 0 or 1')
  if (value === '1' && variables['NODE_ENV'] === 'production') {
    return fault('adds captcha answers to responses and is refused with NODE_ENV=production')
  }
  if (value === '1' && !isLoopback(host)) {
    return fault(
      `adds captcha answers to responses and is refused unless HOST is 127.0.0.1, ::1 or localhost, not ${host}`,
    )
  }
  return []
}

/** A fault of a value that a file holds names the file. */
const inFile =
  (files: ReadonlyMap<string, string>) =>
  (fault: Fault): Fault => {
    const path = fault.source === 'environment' ? files.get(fault.name) : undefined
    return path === undefined ? fault : { ...fault, name: fileVariableOf(fault.name), source: path }
  }

const checkSecret = (secret: string, name: string, source: string): Fault[] =>
  secret.length < secretLength ? [{ name, source, message: `must have at least ${secretLength} characters` }] : []

/** The file of a first start has the master secret, unless the environment has it. */
const secretFile = (directory: string) => join(directory, 'secret')

const readSecret = (directory: string, variables: NodeJS.ProcessEnv): { secret: string; faults: Fault[] } => {
  const variable = readVariable(variables, 'ROLLCALL_SECRET')
  if (variable !== undefined) {
    const fromEnvironment = readMasterSecret(variable)
    return { secret: fromEnvironment, faults: checkSecret(fromEnvironment, 'ROLLCALL_SECRET', 'environment') }
  }
  const source = secretFile(directory)
  const name = 'the master secret'
  try {
    const secret = readMasterSecret(readTextFile(source))
    return { secret, faults: checkSecret(secret, name, source) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'is missing' : `cannot be read: ${message}`
    const advice =
      'restore the file, or set ROLLCALL_SECRET: without it no user of this database can sign in. For a new database any secret of ' +
      `${secretLength} characters will do: openssl rand -base64 ${secretLength}`
    return { secret: '', faults: [{ name, source, message: `${reason}; ${advice}` }] }
  }
}

const readAdminPassword = (variables: NodeJS.ProcessEnv): string | undefined => {
  const variable = readVariable(variables, 'ROLLCALL_ADMIN_PASSWORD')
  return variable === undefined ? undefined : readSecretText(variable)
}

/** The fault of a data directory in which a file could not be created. */
const unwritable = (directory: string, error: unknown): Fault => {
  const { code, message } = error as NodeJS.ErrnoException
  const advice = code === 'EACCES' ? '. Make this user its owner, or set another DATA_DIR' : ''
  return { name: 'DATA_DIR', source: directory, message: `cannot be written: ${message}${advice}` }
}

/** Creates a file atomically. A file that another process has created meanwhile stays. */
const createFile = (path: string, content: string): void => {
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

/** Makes a master secret for a `config.json` that was written by hand, unless there is one or a database that another one may have encrypted. */
const createSecret = (directory: string, variables: NodeJS.ProcessEnv, databaseUrl: string): Fault[] => {
  if (readVariable(variables, 'ROLLCALL_SECRET') !== undefined || existsSync(secretFile(directory))) return []
  // PostgreSQL cannot be asked here whether another secret has encrypted something in it.
  if (!isMissing(databaseUrl, directory)) return []
  try {
    createFile(secretFile(directory), `${randomBytes(secretLength).toString('base64url')}\n`)
    return []
  } catch (error) {
    return [unwritable(directory, error)]
  }
}

/** Creates the data directory with a configuration and, unless the environment sets one, a master secret. */
const createDirectory = (directory: string, variables: NodeJS.ProcessEnv): Fault[] => {
  try {
    mkdirSync(directory, { recursive: true, mode: ownerOnly.directory })
    if (readVariable(variables, 'ROLLCALL_SECRET') === undefined) {
      createFile(secretFile(directory), `${randomBytes(secretLength).toString('base64url')}\n`)
    }
    // The configuration is written last: its presence marks the directory as complete.
    createFile(join(directory, 'config.json'), `${JSON.stringify(fillSettings(), null, 2)}\n`)
    return []
  } catch (error) {
    return [unwritable(directory, error)]
  }
}

/** Where the master secret comes from. */
const secretSourceOf = (
  directory: string,
  variables: NodeJS.ProcessEnv,
  files: ReadonlyMap<string, string>,
): string => {
  if (files.has('ROLLCALL_SECRET')) return fileVariableOf('ROLLCALL_SECRET')
  return readVariable(variables, 'ROLLCALL_SECRET') === undefined ? secretFile(directory) : 'ROLLCALL_SECRET'
}

/** Absolute path of the data directory. */
export const dataDirectory = (variables: NodeJS.ProcessEnv): string =>
  resolve(readVariable(variables, 'DATA_DIR') ?? 'data')

export interface OpenOptions {
  /** Whether a first start may create the data directory. */
  create: boolean
  /** The fault of a password for the first administrator; undefined if the password is accepted. */
  checkAdminPassword: (password: string, settings: Settings) => string | undefined
}

/** Finds the faults of a first start before it writes anything. */
const checkFirstStart = (
  variables: NodeJS.ProcessEnv,
  settings: Settings,
  check: OpenOptions['checkAdminPassword'],
) => {
  const faults: Fault[] = []
  const secret = readVariable(variables, 'ROLLCALL_SECRET')
  if (secret !== undefined) faults.push(...checkSecret(readMasterSecret(secret), 'ROLLCALL_SECRET', 'environment'))
  const password = readAdminPassword(variables)
  const message = password === undefined ? undefined : check(password, settings)
  if (message !== undefined) faults.push({ name: 'ROLLCALL_ADMIN_PASSWORD', source: 'environment', message })
  return faults
}

/**
 * Reads `DATA_DIR/config.json` and the environment, which overrides it. With `create`, a first start creates the data
 * directory. Throws a `ConfigurationError` with all faults; nothing is created then.
 */
export const openInstallation = (everything: NodeJS.ProcessEnv, options: OpenOptions): Installation => {
  const { variables, files, faults: fileFaults } = readSecretFiles(withoutServices(everything))
  const directory = dataDirectory(variables)
  const file = join(directory, 'config.json')
  const isNew = !existsSync(file)
  if (isNew && !options.create) {
    throw new OperatorError(
      `There is no Rollcall data in ${directory} yet. Run \`rollcall init\` first, or set DATA_DIR.`,
    )
  }
  const defaults = fillSettings()
  const read = isNew ? { content: defaults as unknown, faults: [] } : readFile(file)
  const { content, retired } = dropRetired(read.content)
  const checked = content === undefined ? { faults: [] } : readSettings(content, file, variables)
  const settings = 'settings' in checked ? checked.settings : undefined
  const echoFaults = checkDevEcho(variables, (settings ?? defaults).host)
  const faults = [...fileFaults, ...unknownVariables(variables), ...echoFaults, ...read.faults, ...checked.faults]
  if (isNew) faults.push(...checkFirstStart(variables, settings ?? defaults, options.checkAdminPassword))
  if (isNew && faults.length === 0) faults.push(...createDirectory(directory, variables))
  if (!isNew && options.create && settings && faults.length === 0)
    faults.push(...createSecret(directory, variables, settings.databaseUrl))
  // Where a file cannot be read, what stands for its variable is not meant.
  const secret =
    (isNew && faults.length > 0) || fileFaults.length > 0
      ? { secret: '', faults: [] }
      : readSecret(directory, variables)
  faults.push(...secret.faults)
  if (faults.length > 0 || !settings) throw new ConfigurationError(faults.map(inFile(files)))
  const color = darkened(settings.branding.color)
  return {
    directory,
    settings: withOneName({ ...settings, branding: { ...settings.branding, color } }),
    secret: secret.secret,
    secretSource: secretSourceOf(directory, variables, files),
    devEcho: readVariable(variables, 'ROLLCALL_DEV_ECHO') === '1',
    adminPassword: readAdminPassword(variables),
    retiredSettings: retired,
    ...(color === settings.branding.color ? {} : { lightColor: settings.branding.color }),
  }
}
