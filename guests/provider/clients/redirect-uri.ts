import { isLoopback } from '../../../lib/loopback.js'
import type { ClientSettings } from './settings.js'

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** A scheme that an app owns: the name of a domain turned around (RFC 8252 7.1). */
const isPrivateScheme = (protocol: string): boolean => /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:$/.test(protocol)

/** An address that Rollcall itself asks. Whether it may be plain http, or a private one, is a setting, which may change. */
export const isWebUri = (text: string): boolean =>
  !/[\s\\#]/.test(text) &&
  URL.canParse(text) &&
  /^https?:$/.test(new URL(text).protocol) &&
  new URL(text).username === ''

/**
 * Whether an application of this type may be sent back to the address. It is compared character by character later, so it has to be written
 * as a browser writes it.
 */
export const isRedirectUri = (text: string, type: ClientSettings['type']): boolean => {
  if (/[\s\\#*]/.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || (url.href !== text && url.href !== `${text}/`)) return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(hostOf(url))
  return type === 'native' && isPrivateScheme(url.protocol)
}
