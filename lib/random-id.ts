import { randomBytes } from 'node:crypto'

const bitsOfAByte = 8
/** Bytes. 128 random bits cannot be guessed (ASVS 11.5.1). */
const length = 128 / bitsOfAByte

/** A unique id of 128 random bits, base64url. */
export const randomId = (): string => randomBytes(length).toString('base64url')

/** The same without a dash at the beginning, which a command line would read as an option. It has 0.02 bits less. */
export const randomArgument = (): string => {
  let id = randomId()
  while (id.startsWith('-')) id = randomId()
  return id
}
