import type { Static } from '@sinclair/typebox'
import { getExampleNumber, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import type { Phone } from '../../../db/repositories/users.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { invalidField, type Problem } from '../../../lib/problem.js'
import { inLanguages } from '../../../lib/violations.js'
import type { PhoneNumbers } from '../../../schemas/login.js'

/** New prefixes are in use before the library knows them. */
const chineseMobile = /^1[3-9]\d{9}$/

/** The country of numbers without a country code; `null` where all have one. */
export type PhoneRegion = string | null

/**
 * Reads a phone number with a country code (`+86`, `0086`) or in the national form of `region`. Numbers of the region are
 * displayed in national form, others in E.164. Undefined for a text that is no phone number. For lookups: it also accepts
 * possible numbers that `readNewPhone` refuses, because earlier versions stored them.
 */
export const readPhone = (text: string, region: PhoneRegion): Phone | undefined => read(text, region)?.phone

/**
 * Reads a phone number that is to be stored. The number must be valid in the numbering plan of its country. Without a country code it must
 * be a mobile number: the number of somebody in another country is often a valid one of a landline in `region`.
 */
export const readNewPhone = (text: string, region: PhoneRegion): Phone | undefined => {
  const found = read(text, region)
  return found?.isValid && (found.hasCountryCode || isMobile(found.type)) ? found.phone : undefined
}

/** Whether a text has the form of a mobile number of `region`, in its national form or with the country code. */
export const isMobileNumber = (text: string, region: PhoneRegion): boolean => {
  const found = read(text, region)
  return found !== undefined && (region === null || found.country === region) && isMobile(found.type)
}

/** Whether text messages can reach a stored number (E.164), as far as the numbering plan of its country says. */
export const takesTextMessages = (key: string): boolean => {
  // To read each number of a million users would take a minute.
  if (key.startsWith('+86') && chineseMobile.test(key.slice(3))) return true
  const found = read(key, null)
  return found?.isValid === true && !['FIXED_LINE', 'TOLL_FREE', 'PREMIUM_RATE'].includes(found.type ?? '')
}

/** Of the example with a country code: one of them is another country. */
const examplesAbroad = ['GB', 'US'] as const

const nameOf = (region: string, language: string) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? region

/** How phone numbers are written, with numbers that nobody has: one of the region, and one of another country with its code. */
export const phoneForms = (region: PhoneRegion): Static<typeof PhoneNumbers> => {
  const abroad = region === examplesAbroad[0] ? examplesAbroad[1] : examplesAbroad[0]
  const national = region === null ? undefined : getExampleNumber(region as CountryCode, examples)?.formatNational()
  const international = getExampleNumber(abroad, examples)?.formatInternational() ?? '+…'
  return { region, national: national ?? null, international }
}

/** What a phone number must be, with an example of both forms. */
export const phoneFault = (region: PhoneRegion, field = 'phone'): Problem => {
  const { national, international } = phoneForms(region)
  if (region === null || national === null) return invalidField(field, 'phone_international', { international })
  const country = inLanguages({ en: nameOf(region, 'en'), zh: nameOf(region, 'zh') })
  return invalidField(field, 'phone', { country, national, international })
}

/** Reads a phone number that is to be stored; throws `invalid_request` for a text that is none. Absent stays absent. */
export const checkNewPhone = (text: string | undefined, region: PhoneRegion): Phone | undefined => {
  const phone = text === undefined ? undefined : readNewPhone(text, region)
  if (text === undefined || phone) return phone
  throw phoneFault(region)
}

const hasPlus = /^\P{Nd}*[+＋]/u
const isMobile = (type: string | undefined) => type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'

const read = (text: string, region: PhoneRegion) => {
  const country = (region ?? undefined) as CountryCode | undefined
  // The whole text must be the number; without this option the library searches the text for one.
  const options = { ...(country ? { defaultCountry: country } : {}), extract: false }
  const written = cleanCopied(text).replace(/^00/, '+')
  const number = parsePhoneNumberFromString(written, options)
  if (!number?.isPossible() || number.ext !== undefined) return undefined
  const isOfRegion = country !== undefined && number.country === country
  const display = isOfRegion ? number.formatNational().replace(/\D/g, '') : number.number
  const phone: Phone = { display, key: number.number }
  const isChineseMobile = number.country === 'CN' && chineseMobile.test(number.nationalNumber)
  return {
    phone,
    hasCountryCode: hasPlus.test(written),
    isValid: isChineseMobile || number.isValid(),
    country: number.country,
    type: isChineseMobile ? 'MOBILE' : number.getType(),
  }
}
