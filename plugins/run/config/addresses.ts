import { plainUrlFault } from '../../../lib/url-fault.js'
import type { Settings } from '../../../schemas/settings.js'

const isWeb = (text: string): boolean => /^https?:\/\/[^/]/i.test(text)

/** Where the parser of URLs would silently correct what is no capital, port or letter of another script. */
const isPlain = (text: string): boolean => !/[\s\\]/.test(text) && URL.canParse(text)

const hasCredentials = (text: string): boolean => {
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

/** An origin as browsers send it: in lower case, in ASCII, without the port that the scheme has anyhow. */
const toOrigin = (text: string): string => {
  const { origin, href } = new URL(text)
  return isWeb(text) ? origin : href
}

/**
 * An origin, also that of an app or an extension, such as `capacitor://localhost`. A wildcard would never match, because origins are
 * compared as they are.
 */
export const isOrigin = (text: string): boolean =>
  /^[a-z][a-z\d+.-]*:\/\/[^/?#@*]+$/i.test(text) &&
  isPlain(text) &&
  (isWeb(text) || toOrigin(text).toLowerCase() === text.toLowerCase())

/** Without query and fragment, and without a password, which everybody would read in links. */
export const isBaseUrl = (text: string): boolean =>
  isWeb(text) && !/[?#]/.test(text) && isPlain(text) && !hasCredentials(text)

/** Without fragment, which RFC 6749 3.1.2 forbids, and without query, which openid-client removes. Providers compare it letter by letter. */
export const isRedirectUri = (text: string): boolean => isBaseUrl(text) && new URL(text).href === text

/** An address for a link: never `javascript:`, and no password that everybody would read. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s\\]+$/.test(text) && plainUrlFault(text) === undefined

/**
 * A name, or a URL without query and fragment (OpenID Connect Discovery 1.0 section 2: "iss"), which clients compare letter by letter.
 * Text with `://` is meant as a URL.
 */
export const isIssuer = (text: string): boolean =>
  text !== '' && (!text.includes('://') || isRedirectUri(text) || isRedirectUri(`${text}/`))

const isOfOrigin = (format: string) => format === 'origin' || format === 'passkey-origin'

const parts: readonly [name: string, isWrong: (text: string, format: string) => boolean][] = [
  ['has a blank or a backslash', (text) => /[\s\\]/.test(text)],
  ['does not begin with a scheme such as https://', (text) => !/^[a-z][a-z\d+.-]*:\/\//i.test(text)],
  ['has a user name or a password', (text) => /^[^/?#]*\/\/[^/?#]*@/.test(text)],
  ['has a *, and each origin must be written out', (text, format) => isOfOrigin(format) && text.includes('*')],
  ['has a query (?)', (text) => text.includes('?')],
  ['has a fragment (#)', (text) => text.includes('#')],
  ['has a path or a / at the end', (text, format) => isOfOrigin(format) && /\/\/[^/]*\//.test(text)],
  ['begins with neither http:// nor https://', (text, format) => !isOfOrigin(format) && !/^https?:\/\//i.test(text)],
  ['has a host or a port that cannot be read', (text) => !URL.canParse(text)],
]
const formats = ['origin', 'passkey-origin', 'base-url', 'redirect-uri', 'issuer']

/**
 * Which part of an address is wrong, for a message. Nothing of the address is in it but, where only the spelling differs, the whole: it has
 * no password then.
 */
export const wrongPartOf = (format: string, text: unknown): string | undefined => {
  if (!formats.includes(format) || typeof text !== 'string' || text === '') return undefined
  const part = parts.find(([, isWrong]) => isWrong(text, format))?.[0]
  if (part !== undefined) return part
  const { href } = new URL(text)
  return href === text ? undefined : `is compared letter by letter: write ${href}`
}

/** The settings with the addresses that browsers are compared with as browsers write them. */
export const withNormalAddresses = (settings: Settings): Settings => ({
  ...settings,
  publicUrl: settings.publicUrl === null ? null : new URL(settings.publicUrl).href.replace(/\/$/, ''),
  corsOrigins: settings.corsOrigins.map(toOrigin),
  passkeys: { ...settings.passkeys, origins: settings.passkeys.origins.map(toOrigin) },
})
