import { isIP } from 'node:net'
import { Type, type TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isSupportedCountry } from 'libphonenumber-js/max'
import { nearestName } from '../../../lib/edit-distance.js'
import { isSender } from '../../../lib/sender.js'
import { contrastWithWhite } from '../../../lib/contrast.js'
import { isTimeZone } from '../../../lib/time-zone.js'
import { trustedProxies } from '../../../lib/trusted-proxies.js'
import { environment, type Variable } from '../../../schemas/environment.js'
import { retiredSettings, Settings } from '../../../schemas/settings.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { isAppOrigin, passkeyFaults } from '../../../lib/relying-party.js'
import {
  isBaseUrl,
  isIssuer,
  isOrigin,
  isRedirectUri,
  isWebAddress,
  withNormalAddresses,
  wrongPartOf,
} from './addresses.js'
import { urlFaults } from './url-settings.js'

/** A fault of the configuration. */
export interface Fault {
  /** Name of the setting or variable. */
  name: string
  /** Path of the file, or `environment`. */
  source: string
  message: string
}

/** The configuration has faults. The message lists all of them with name and source. */
export class ConfigurationError extends OperatorError {
  readonly faults: Fault[]
  constructor(faults: Fault[]) {
    const lines = faults.map((fault) => `  ${fault.name} (${fault.source}): ${fault.message}`)
    const count = faults.length === 1 ? '1 setting is' : `${faults.length} settings are`
    super(`Rollcall does not start: ${count} wrong.\n${lines.join('\n')}\nCorrect this and start again.`)
    this.name = 'ConfigurationError'
    this.faults = faults
  }
}

const isAddressRange = (text: string): boolean => {
  const isName = ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  // Fastify also accepts other forms of an address, such as a single number.
  if (!isName && isIP(text.split('/')[0] ?? '') === 0) return false
  try {
    trustedProxies([text])
    return true
  } catch {
    return false
  }
}

const createAjv = () =>
  new Ajv({
    allErrors: true,
    useDefaults: true,
    // The messages quote the description of a setting.
    verbose: true,
    formats: {
      'address-range': isAddressRange,
      origin: isOrigin,
      'passkey-origin': (text: string) => isOrigin(text) || isAppOrigin(text),
      region: isSupportedCountry,
      'time-zone': isTimeZone,
      // WCAG 2.2, 1.4.3.
      'brand-color': (text: string) => !Number.isNaN(contrastWithWhite(text)),
      'redirect-uri': isRedirectUri,
      'base-url': isBaseUrl,
      'web-address': isWebAddress,
      issuer: isIssuer,
      sender: isSender,
    },
  })

const readings: Record<NonNullable<Variable['reading']>, (text: string) => unknown> = {
  // Other text is kept, so that the schema reports the fault.
  number: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  list: (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  switch: (text) => ({ on: true, off: false })[text] ?? text,
}

const formatNames: Record<string, string> = {
  origin: 'an origin such as https://console.example.com or capacitor://localhost, without a path and without *',
  'passkey-origin':
    'an origin such as https://console.example.com, without a path and without *, or that of an Android app, android:apk-key-hash: and 43 characters',
  'address-range': 'an address, a CIDR range (but not /0, which trusts everybody), loopback, linklocal or uniquelocal',
  'redirect-uri': 'an address such as https://console.example.com/social, without query and fragment',
  'base-url': 'an address such as https://example.com/iam, without query and fragment',
  'web-address': 'an address such as https://help.example.com/sign-in, without a user name and a password',
  issuer: 'a name, or an address such as https://id.example.com, without query and fragment',
  sender: 'one address such as no-reply@example.com or Example <no-reply@example.com>',
  region: 'a country such as CN or GB (ISO 3166)',
  'time-zone': 'a time zone such as Asia/Shanghai or UTC (IANA)',
  'brand-color': 'a color such as #14616f',
}

const typeNames: Record<string, string> = {
  boolean: 'true or false (in the environment: on or off)',
  integer: 'an integer',
  null: 'null',
}
const nameOfType = (type: string) => typeNames[type] ?? `of type ${type}`

const pathOf = (error: ErrorObject): string[] => {
  const path = error.instancePath.split('/').slice(1)
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>
  const last = missingProperty ?? additionalProperty
  return last === undefined ? path : [...path, last]
}

/** The setting beside an unknown one whose name is a typing error or two away: fewer in a short name, which is near to any other one. */
const meantBy = (error: ErrorObject): string | undefined => {
  const { properties = {} } = error.parentSchema as { properties?: object }
  const unknown = String(error.params['additionalProperty'])
  const name = nearestName(unknown, Object.keys(properties), ({ length }) => Math.min(2, Math.floor(length / 3)))
  return name && [...pathOf(error).slice(0, -1), name].join('.')
}

const messages: Record<string, (error: ErrorObject) => string> = {
  minLength: (error) => `must have at least ${String(error.params['limit'])} characters`,
  minimum: (error) => `must be at least ${String(error.params['limit'])}`,
  maximum: (error) => `must be at most ${String(error.params['limit'])}`,
  required: () => 'is missing',
  additionalProperties: (error) => {
    const meant = meantBy(error)
    return `is not a setting of Rollcall${meant === undefined ? '' : `; is ${meant} meant?`}`
  },
  enum: (error) => `must be one of ${(error.params['allowedValues'] as string[]).join(', ')}`,
  pattern: (error) => `must be ${String(error.parentSchema?.['description'])}`,
  format: (error) => {
    const format = String(error.params['format'])
    const part = wrongPartOf(format, error.data)
    return `must be ${formatNames[format] ?? 'of another form'}${part === undefined ? '' : `; this one ${part}`}`
  },
  type: (error) => `must be ${[error.params['type'] as string | string[]].flat().map(nameOfType).join(' or ')}`,
}

/** Sets `path` in a copy of the nested object `target`. */
const withValue = (target: unknown, path: readonly string[], value: unknown): unknown => {
  const [head, ...rest] = path
  if (head === undefined) return value
  const object = typeof target === 'object' && target !== null ? (target as Record<string, unknown>) : {}
  return { ...object, [head]: withValue(object[head], rest, value) }
}

/** A copy of `target` without the value at `path`; undefined if there is no such value. */
const withoutValue = (target: unknown, [head = '', ...rest]: readonly string[]): unknown => {
  if (typeof target !== 'object' || target === null || Array.isArray(target) || !Object.hasOwn(target, head))
    return undefined
  const { [head]: value, ...others } = target as Record<string, unknown>
  if (rest.length === 0) return others
  const inner = withoutValue(value, rest)
  return inner === undefined ? undefined : { ...target, [head]: inner }
}

/** Removes the settings of earlier versions from the content of the configuration file, and returns their names. */
export const dropRetired = (content: unknown): { content: unknown; retired: string[] } => {
  let kept = content
  const retired = Object.keys(retiredSettings).filter((name) => {
    const without = withoutValue(kept, name.split('.'))
    if (without !== undefined) kept = without
    return without !== undefined
  })
  return { content: kept, retired }
}

/** Finds faults that no schema tells, by the path of the setting. */
type FindFaults = (settings: Settings) => { path: string; message: string }[]

/** Reads the settings of the house and `blocks`, those of guests by their names, with their own checks. */
export const createSettingsReader = (blocks: Record<string, TSchema>, checks: readonly FindFaults[] = []) => {
  const schema = Type.Object({ ...Settings.properties, ...blocks }, { additionalProperties: false })
  const ajv = createAjv()
  const validate = ajv.compile<Settings>(schema)
  return {
    schema,

    /** All settings, with the default values of those that `start` lacks. */
    fill(start: object = {}): Settings {
      const filled = structuredClone(start)
      if (!validate(filled)) throw new Error(ajv.errorsText(validate.errors))
      return Object.fromEntries(
        Object.keys(schema.properties).map((name) => [name, filled[name as keyof Settings]]),
      ) as unknown as Settings
    },

    /**
     * Overrides the content of the configuration file by the environment and validates the result. Blank variables are
     * ignored. Returns the settings, or all faults.
     */
    read: (content: unknown, file: string, variables: NodeJS.ProcessEnv) =>
      readSettings(validate, checks, content, file, variables),
  }
}

export type SettingsReader = ReturnType<typeof createSettingsReader>

const readSettings = (
  validate: ValidateFunction<Settings>,
  checks: readonly FindFaults[],
  content: unknown,
  file: string,
  variables: NodeJS.ProcessEnv,
): { settings?: Settings; faults: Fault[] } => {
  let merged = content
  const setFromEnvironment = new Map<string, string>()
  for (const { name, setting, reading } of environment) {
    const text = variables[name]?.trim()
    if (!setting || !text) continue
    merged = withValue(merged, setting, reading ? readings[reading](text) : text)
    setFromEnvironment.set(setting.join('.'), name)
  }
  merged = structuredClone(merged)
  const toFault = (path: string, message: string): Fault => {
    const variable = [...setFromEnvironment].find(([setting]) => `${path}.`.startsWith(`${setting}.`))?.[1]
    const source = variable === undefined ? file : 'environment'
    return { name: variable ?? (path || 'the whole file'), source, message }
  }
  if (!validate(merged)) {
    const faults = (validate.errors ?? []).map((error) =>
      toFault(pathOf(error).join('.'), messages[error.keyword]?.(error) ?? error.message ?? 'is wrong'),
    )
    return { faults }
  }
  const settings = withNormalAddresses(merged)
  const wrong = [urlFaults, passkeyFaults, ...checks].flatMap((check) => check(settings))
  const faults = wrong.map(({ path, message }) => toFault(path, message))
  return faults.length > 0 ? { faults } : { settings, faults }
}
