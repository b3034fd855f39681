import { problem } from '../../../lib/problem.js'

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 2.1); the scheme is case-insensitive. Throws `token_missing`.
 */
export const bearerToken = (authorization: string | undefined): string => {
  const [, token] = /^bearer +([^\s]+) *$/i.exec(authorization ?? '') ?? []
  if (token === undefined) throw problem('token_missing')
  return token
}
