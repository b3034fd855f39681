import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { darkened } from '../../../lib/contrast.js'
import { isLoopback } from '../../../lib/loopback.js'
import { readSecretText } from '../../../lib/secret-text.js'
import type { Settings } from '../../../schemas/settings.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { readConfigFile } from './config-file.js'
import { closedTo, createFile, dataDirectory, makeDirectory, unwritable } from './data-directory.js'
import {
  checkGivenSecret,
  createFirstSecret,
  createMissingSecret,
  readSecret,
  secretSourceOf,
} from './master-secret.js'
import { ConfigurationError, dropRetired, type Fault, type SettingsReader } from './settings.js'
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
  /** Whether `config.json` sets `phoneRegion`. If not, the preset holds, and perhaps nobody has thought about it. */
  isRegionChosen: boolean
  /** `branding.color` of the configuration, where the settings have a darker one in its place. */
  lightColor?: string
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

const readAdminPassword = (variables: NodeJS.ProcessEnv): string | undefined => {
  const variable = readVariable(variables, 'ROLLCALL_ADMIN_PASSWORD')
  return variable === undefined ? undefined : readSecretText(variable)
}

/** What the `config.json` of a first start leaves out: the console asks for the country of phone numbers until it is set there. */
const undecided = { phoneRegion: undefined } satisfies { [name in keyof Settings]?: undefined }

/** Creates the data directory with a configuration and, unless the environment sets one, a master secret. */
const createDirectory = (directory: string, variables: NodeJS.ProcessEnv, preset: Settings): Fault[] => {
  try {
    makeDirectory(directory)
    createFirstSecret(directory, variables)
    // The configuration is written last: its presence marks the directory as complete.
    createFile(join(directory, 'config.json'), `${JSON.stringify({ ...preset, ...undecided }, null, 2)}\n`)
    return []
  } catch (error) {
    return [unwritable(directory, error)]
  }
}

export interface OpenOptions {
  /** Knows the settings of guests, too. */
  reader: SettingsReader
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
  const faults = checkGivenSecret(variables)
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
  const closed = closedTo(directory)
  if (closed.length > 0) throw new ConfigurationError([...fileFaults, ...closed])
  const isNew = !existsSync(file)
  if (isNew && !options.create) {
    throw new OperatorError(
      `There is no Rollcall data in ${directory}. Set DATA_DIR to the data directory of the service. Only for a new installation, run \`rollcall init\`.`,
    )
  }
  const { reader } = options
  const defaults = reader.fill()
  const read = isNew ? { content: defaults as unknown, faults: [] } : readConfigFile(file)
  const { content, retired } = dropRetired(read.content)
  const checked = content === undefined ? { faults: [] } : reader.read(content, file, variables)
  const settings = 'settings' in checked ? checked.settings : undefined
  const echoFaults = checkDevEcho(variables, (settings ?? defaults).host)
  const faults = [...fileFaults, ...unknownVariables(variables), ...echoFaults, ...read.faults, ...checked.faults]
  if (isNew) faults.push(...checkFirstStart(variables, settings ?? defaults, options.checkAdminPassword))
  if (isNew && faults.length === 0) faults.push(...createDirectory(directory, variables, defaults))
  if (!isNew && options.create && settings && faults.length === 0)
    faults.push(...createMissingSecret(directory, variables, settings.databaseUrl))
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
    isRegionChosen: !isNew && Object.hasOwn(content as object, 'phoneRegion'),
    ...(color === settings.branding.color ? {} : { lightColor: settings.branding.color }),
  }
}
