import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'
import type { Phone, User } from '../../db/users.js'

/** RFC 5321 4.5.3.1.3. */
const longestEmail = 254

/**
 * Reads a phone number, written with a country code (`+86`, `0086`) or as people of `region` write it. People of the
 * region see their own way of writing, others the international one. Undefined when it is not a phone number.
 */
export const readPhone = (text: string, region: string): Phone | undefined => {
  const country = region as CountryCode
  const number = parsePhoneNumberFromString(text.trim().replace(/^00/, '+'), country)
  if (!number?.isPossible()) return undefined
  const display = number.country === country ? number.formatNational().replace(/\D/g, '') : number.number
  return { display, key: number.number }
}

/**
 * Reads an e-mail address. Undefined when it is not one. Normalisation must not make an `@` out of a look-alike, which
 * would send one person's mail to another.
 */
export const readEmail = (text: string): string | undefined => {
  const email = text.trim()
  const isAddress = email.length <= longestEmail && /^[^\s@<>"(),:;\\[\]]+@[^\s@.]+(\.[^\s@.]+)+$/u.test(email)
  return isAddress && email.normalize('NFKC') === email ? email : undefined
}

/** What a user can be named by when signing in; phone numbers in the one form under which tries are counted. */
export const signInNames = ({ username, phone, email }: User, region: string): string[] =>
  [username, phone === null ? undefined : readPhone(phone, region)?.key, email].filter((name) => name != null)
