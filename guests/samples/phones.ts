import { hash } from 'node:crypto'
import { getExampleNumber, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/mobile'
import examples from 'libphonenumber-js/mobile/examples'
import type { Phone } from '../../db/repositories/users.js'

/** Numbers tried for each prefix. */
const samples = 25
/** Prefixes tried, and how many are enough. */
const tries = 4000
const enough = 40
/** Maximum number of free digits after a prefix. */
const maxEnd = 8
/** Coprime to the numbers it is combined with, so that users next to each other get different-looking phone numbers. */
const stride = 2_654_435_761n

interface Beginning {
  display: string
  key: string
}

const digitsOf = (text: string, count: number): string =>
  BigInt(`0x${hash('sha256', text)}`)
    .toString()
    .slice(-count)

/** A prefix in both forms, if all numbers tried with it are mobile numbers of the region. */
const readBeginning = (
  digits: string,
  end: number,
  region: string,
  readPhone: (text: string) => Phone | undefined,
): Beginning | undefined => {
  let beginning: Beginning | undefined
  for (let sample = 0; sample < samples; sample++) {
    const tail = digitsOf(`end ${sample}`, end)
    const number = parsePhoneNumberFromString(digits + tail, region as CountryCode)
    if (!number?.isValid() || number.country !== region) return undefined
    const phone = readPhone(number.number)
    if (!phone?.display.endsWith(tail) || !phone.key.endsWith(tail)) return undefined
    const found = { display: phone.display.slice(0, -end), key: phone.key.slice(0, -end) }
    beginning ??= found
    if (found.display !== beginning.display || found.key !== beginning.key) return undefined
  }
  return beginning
}

/** The prefixes of mobile numbers with `end` free digits: the known one, and others of the same length. */
const findBeginnings = (known: string, end: number, ...rest: [string, (text: string) => Phone | undefined]) => {
  const first = readBeginning(known, end, ...rest)
  const found = new Map<string, Beginning>()
  if (!first) return []
  found.set(first.key, first)
  for (let index = 0; index < tries && found.size < enough; index++) {
    const beginning = readBeginning(digitsOf(`beginning ${index}`, known.length), end, ...rest)
    if (beginning) found.set(beginning.key, beginning)
  }
  return [...found.values()]
}

/**
 * Mobile numbers of a region, a different one for each index; undefined if the region has no more. `readPhone` gives the two
 * forms of a number; it is called once for each prefix, not for each number.
 */
export const createPhones = (region: string, readPhone: (text: string) => Phone | undefined) => {
  const example = getExampleNumber(region as CountryCode, examples)?.nationalNumber.toString() ?? ''
  let end = Math.min(maxEnd, example.length - 1)
  let beginnings: Beginning[] = []
  for (; end > 0; end--) {
    beginnings = findBeginnings(example.slice(0, -end), end, region, readPhone)
    if (beginnings.length > 0) break
  }
  const ends = 10n ** BigInt(Math.max(end, 0))
  const numbers = BigInt(beginnings.length) * ends
  return (index: number): Phone | undefined => {
    const place = BigInt(index)
    if (place >= numbers) return undefined
    const number = (place * stride) % numbers
    const beginning = beginnings[Number(number / ends)]
    const tail = String(number % ends).padStart(end, '0')
    return beginning && { display: beginning.display + tail, key: beginning.key + tail }
  }
}
