import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import type { TestServer } from './server.js'

type Part = Record<string, any>

const encodePart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decodePart = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString()) as Part

/** Header and claims of a token, as anybody can read them. */
export const decodeToken = (token: string): { header: Part; claims: Part; signature: Buffer } => {
  const [header, claims, signature = ''] = token.split('.')
  return { header: decodePart(header), claims: decodePart(claims), signature: Buffer.from(signature, 'base64url') }
}

/** What the signature of a token covers. */
export const signedBytes = (token: string): Buffer => Buffer.from(token.slice(0, token.lastIndexOf('.')))

/** Makes a token out of any header and claims; `signer` turns the bytes to be signed into a signature. */
export const makeToken = (header: Part, claims: unknown, signer: (bytes: Buffer) => Buffer | string): string => {
  const bytes = `${encodePart(header)}.${encodePart(claims)}`
  return `${bytes}.${Buffer.from(signer(Buffer.from(bytes))).toString('base64url')}`
}

/** An ES256 signer. */
export const es256 = (key: KeyObject) => (bytes: Buffer) => sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })

/** The key that the server itself signs with: what is wrong with a token is then not its signature. */
export const ownKey = async ({ app }: TestServer): Promise<KeyObject> => {
  const [stored] = await app.db.signingKeys.list()
  if (!stored) throw new Error('the server has no signing key')
  const jwk = app.encryption.decrypt(stored.encryptedPrivateJwk, `signing key ${stored.kid}`)
  return createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' })
}
