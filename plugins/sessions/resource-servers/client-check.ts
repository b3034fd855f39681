import { createHash, timingSafeEqual } from 'node:crypto'
import type { IntrospectionClient } from '../../../schemas/settings-resource-servers.js'
import { problem } from '../../../lib/problem.js'

const hashPrefix = 'sha256:'
const digest = (text: string) => createHash('sha256').update(text).digest()
/** SHA-256 without salt is enough: the secrets are random and have at least 32 characters. */
const digestOf = (secret: string) =>
  secret.startsWith(hashPrefix) ? Buffer.from(secret.slice(hashPrefix.length), 'hex') : digest(secret)

/** Some clients encode id and secret as form fields, as RFC 6749 2.3.1 says, others do not. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Id and secret of an `Authorization: Basic` header (RFC 7617); undefined without one. */
const readBasic = (authorization: string | undefined) => {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
}

/**
 * Returns a function that finds the client of an Authorization header. It throws `invalid_client` unless id and secret are
 * those of a client of the configuration.
 */
export const createClientCheck = (clients: readonly IntrospectionClient[]) => {
  const known = clients.map((client) => ({ client, expected: digestOf(client.secret) }))
  return (authorization: string | undefined): IntrospectionClient => {
    const given = readBasic(authorization)
    if (!given) throw problem('invalid_client')
    const actual = digest(given.secret)
    const found = known.find(({ client, expected }) => client.id === given.id && timingSafeEqual(actual, expected))
    if (!found) throw problem('invalid_client')
    return found.client
  }
}
