import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { remember } from './remember.js'

/** Scanners find leaked tokens by it (SECURITY.md). */
const prefix = 'rct_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes: 256 random bits. */
const randomness = 32
/** Digits of 256 bits, and of the 32 bits of a checksum. */
const lengths = { random: 43, checksum: 6 }
/** Characters by which people tell tokens apart. */
const shown = 8

const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${lengths.random + lengths.checksum}}$`)

const inBase62 = (number: bigint, length: number): string => {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)] ?? ''}${text}`
  return text.padStart(length, '0')
}

/** CRC-32 of what stands before it: a mistyped token is refused without a question to the database. */
const checksumOf = (text: string): string => inBase62(BigInt(crc32(text)), lengths.checksum)

/** A new API token: what its owner is shown once. */
export const makeApiToken = (): string => {
  const text = `${prefix}${inBase62(BigInt(`0x${randomBytes(randomness).toString('hex')}`), lengths.random)}`
  return `${text}${checksumOf(text)}`
}

/** Whether a bearer token says that it is an API token. */
export const isApiToken = (token: string): boolean => token.startsWith(prefix)

/** Whether the checksum of what has the shape of one fits. */
const isWellFormed = (token: string): boolean =>
  checksumOf(token.slice(0, -lengths.checksum)) === token.slice(-lengths.checksum)

/** What is stored of a token. */
export const apiTokenHash = (token: string): string => hash('sha256', token, 'base64url')

/** Of tokens that are used again and again. Only what has the shape of one is kept, so that nobody fills the memory. */
const hashes = remember(1000, (token: string) => (isWellFormed(token) ? apiTokenHash(token) : undefined))

/** What is stored of a token; undefined for what is none. */
export const hashOfShown = (token: string): string | undefined => (shape.test(token) ? hashes.of(token) : undefined)

export const apiTokenStart = (token: string): string => token.slice(0, shown)
