import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import type { Phone } from '../../db/repositories/users.js'
import { isVisible } from './names.js'

/** RFC 5321 4.5.3.1.3. */
const maxEmailLength = 254

/**
 * Reads a phone number, written with a country code (`+86`, `0086`) or as people of `region` write it. People of the
 * region see their own way of writing, others the international one. Undefined when it is not a phone number. For finding
 * who is there: a number that was stored when more were taken is still read.
 */
export const readPhone = (text: string, region: string): Phone | undefined => read(text, region)?.phone

/** The same for a number that is to be stored: one that somebody can have, by the numbering plan of its country. */
export const readNewPhone = (text: string, region: string): Phone | undefined => {
  const found = read(text, region)
  return found?.isValid ? found.phone : undefined
}

const read = (text: string, region: string): { phone: Phone; isValid: boolean } | undefined => {
  const country = region as CountryCode
  // A number within other words is not looked for: what is meant would be guessed.
  const options = { defaultCountry: country, extract: false }
  const number = parsePhoneNumberFromString(text.trim().replace(/^00/, '+'), options)
  if (!number?.isPossible() || number.ext !== undefined) return undefined
  const display = number.country === country ? number.formatNational().replace(/\D/g, '') : number.number
  return { phone: { display, key: number.number }, isValid: number.isValid() }
}

/**
 * Reads an e-mail address. Undefined when it is not one. Normalisation must not make an `@` out of a look-alike, which
 * would send one person's mail to another.
 */
export const readEmail = (text: string): string | undefined => {
  const email = text.trim()
  const isAddress = email.length <= maxEmailLength && /^[^\s@<>"(),:;\\[\]]+@[^\s@.]+(\.[^\s@.]+)+$/u.test(email)
  return isAddress && email.normalize('NFKC') === email ? email : undefined
}

/** The same for an address that is to be stored: nothing in it that cannot be seen, or that turns the direction of what follows. */
export const readNewEmail = (text: string): string | undefined => {
  const email = readEmail(text)
  return email !== undefined && isVisible(email) ? email : undefined
}
