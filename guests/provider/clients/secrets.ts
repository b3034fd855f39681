import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Client } from '../repositories/clients.js'

/** A secret of 256 random bits. Its characters mean the same in a header and in a form, whether or not an application encodes them. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** Without salt: the secrets are random. */
export const secretHash = (secret: string): string => hash('sha256', secret, 'base64url')

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Whether it is the secret of the client, or the one of before that is still taken. */
export const isSecretOf = (
  { secretHash: current, oldSecret }: Pick<Client, 'secretHash' | 'oldSecret'>,
  secret: string,
  now: number,
): boolean => {
  const given = secretHash(secret)
  const known = [current, oldSecret && oldSecret.expiry > now ? oldSecret.hash : null]
  return known.filter((one) => one !== null && isSame(one, given)).length > 0
}
