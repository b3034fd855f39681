import { isApiToken } from '../../../lib/api-token.js'
import { problem } from '../../../lib/problem.js'

const bearer = /^bearer +([^\s]+) *$/i

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 2.1); the scheme is case-insensitive. Throws `token_missing`.
 */
export const bearerToken = (authorization: string | undefined): string => {
  const [, token] = bearer.exec(authorization ?? '') ?? []
  if (token === undefined) throw problem('token_missing')
  return token
}

/** The API token of such a header; undefined where it has none, or another token. */
export const apiTokenOf = (authorization: string | undefined): string | undefined => {
  const [, token] = bearer.exec(authorization ?? '') ?? []
  return token !== undefined && isApiToken(token) ? token : undefined
}

/** The token of a session in such a header. Throws `token_missing`, and `token_not_allowed` for an API token. */
export const sessionToken = (authorization: string | undefined): string => {
  const token = bearerToken(authorization)
  if (isApiToken(token)) throw problem('token_not_allowed')
  return token
}
