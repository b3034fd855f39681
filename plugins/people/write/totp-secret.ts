import { cleanCopied } from '../../../lib/copied-text.js'

/** 16 characters are 80 bits: fewer than the 128 that RFC 4226 4 asks for, and what many systems have. */
const base32 = /^[A-Z2-7]{16,64}$/

/** What apps take for granted where the address says nothing, and the only apps whose codes are checked here. */
const known = { algorithm: 'SHA1', digits: '6', period: '30' }

/** The secret in the address of a QR code, `otpauth://totp/…?secret=…`; undefined for an app of another kind. */
const secretOfAddress = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { host, searchParams } = new URL(address)
  const isKnown = Object.entries(known).every(
    ([name, value]) => (searchParams.get(name) ?? value).toUpperCase().replace('-', '') === value,
  )
  return host.toLowerCase() === 'totp' && isKnown ? (searchParams.get('secret') ?? undefined) : undefined
}

/**
 * Reads the secret of an authenticator app: base32 as apps show it, in groups, in small letters, with padding, or the address in its QR
 * code. Undefined for a text that is none.
 */
export const readTotpSecret = (text: string): string | undefined => {
  const copied = cleanCopied(text)
  const written = /^otpauth:/i.test(copied) ? secretOfAddress(copied) : copied
  const secret = written?.replace(/[\s=-]/g, '').toUpperCase()
  return secret !== undefined && base32.test(secret) ? secret : undefined
}
