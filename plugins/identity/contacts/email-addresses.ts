import { domainToASCII } from 'node:url'
import { cleanCopied } from '../../../lib/copied-text.js'
import { isMaskedEmail } from '../../../lib/mask.js'
import { invalidField } from '../../../lib/problem.js'
import { isVisible } from '../../../lib/visible-text.js'

/** RFC 5321 4.5.3.1.3. */
const maxEmailLength = 254

/** No quotes, comments or separators (RFC 5322 3.2.3), which mail programs read as parts of a list or of a route. */
const localPart = /^[^\s@<>"(),:;\\[\]]+$/u
/** Labels of letters, digits and hyphens, two at least. */
const domainPart = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u
/** RFC 1035 2.3.4; the last label of a host name is never a number (RFC 3696 2). */
const asciiDomainPart = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const maxDomainLength = 253

const isDomain = (text: string): boolean => {
  if (!domainPart.test(text)) return false
  const domain = domainToASCII(text)
  return domain.length <= maxDomainLength && asciiDomainPart.test(domain)
}

/**
 * Reads an e-mail address, `local@domain`; undefined for a text that is none. Addresses that NFKC normalisation changes are
 * refused: it turns look-alikes into an `@`, for example, which would send mail to another person.
 */
export const readEmail = (text: string): string | undefined => {
  const email = cleanCopied(text)
  if (email.length > maxEmailLength || email.normalize('NFKC') !== email) return undefined
  const at = email.lastIndexOf('@')
  return localPart.test(email.slice(0, Math.max(at, 0))) && isDomain(email.slice(at + 1)) ? email : undefined
}

/** Reads an e-mail address that is to be stored. Invisible characters, direction marks and masked addresses are refused. */
export const readNewEmail = (text: string): string | undefined => {
  const email = readEmail(text)
  return email !== undefined && isVisible(email) && !isMaskedEmail(email) ? email : undefined
}

/** Reads an e-mail address that is to be stored; throws `invalid_request` for a text that is none. Absent stays absent. */
export const checkNewEmail = (text: string | undefined): string | undefined => {
  const email = text === undefined ? undefined : readNewEmail(text)
  if (text !== undefined && email === undefined) throw invalidField('email', 'email')
  return email
}
