import { domainToASCII } from 'node:url'
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import type { Phone } from '../../../db/repositories/users.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { isMaskedEmail } from '../../../lib/mask.js'
import { invalidField } from '../../../lib/problem.js'
import { isVisible } from './names.js'

/** RFC 5321 4.5.3.1.3. */
const maxEmailLength = 254

/**
 * Reads a phone number with a country code (`+86`, `0086`) or in the national form of `region`. Numbers of the region are
 * displayed in national form, others in E.164. Undefined for a text that is no phone number. For lookups: it also accepts
 * possible numbers that `readNewPhone` refuses, because earlier versions stored them.
 */
export const readPhone = (text: string, region: string): Phone | undefined => read(text, region)?.phone

/** Reads a phone number that is to be stored. The number must be valid in the numbering plan of its country. */
export const readNewPhone = (text: string, region: string): Phone | undefined => {
  const found = read(text, region)
  return found?.isValid ? found.phone : undefined
}

/** Whether a text has the form of a mobile number of `region`, in its national form or with the country code. */
export const isMobileNumber = (text: string, region: string): boolean => {
  const found = read(text, region)
  return found?.country === region && ['MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(found.type ?? '')
}

/** New prefixes are in use before the library knows them. */
const chineseMobile = /^1[3-9]\d{9}$/

const read = (text: string, region: string) => {
  const country = region as CountryCode
  // The whole text must be the number; without this option the library searches the text for one.
  const options = { defaultCountry: country, extract: false }
  const number = parsePhoneNumberFromString(cleanCopied(text).replace(/^00/, '+'), options)
  if (!number?.isPossible() || number.ext !== undefined) return undefined
  const display = number.country === country ? number.formatNational().replace(/\D/g, '') : number.number
  const phone: Phone = { display, key: number.number }
  const isChineseMobile = number.country === 'CN' && chineseMobile.test(number.nationalNumber)
  return {
    phone,
    isValid: isChineseMobile || number.isValid(),
    country: number.country,
    type: isChineseMobile ? 'MOBILE' : number.getType(),
  }
}

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

/** Reads a contact by `read`; throws `invalid_request` for a text that is none. Absent stays absent. */
export const checkContact = <T>(
  field: 'phone' | 'email',
  text: string | undefined,
  read: (text: string) => T | undefined,
): T | undefined => {
  const contact = text === undefined ? undefined : read(text)
  if (text !== undefined && contact === undefined) throw invalidField(field, field)
  return contact
}
