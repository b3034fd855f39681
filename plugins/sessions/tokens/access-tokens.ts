import type { JWT } from '@fastify/jwt'
import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import type { SigningKey, SigningKeys } from './signing-keys.js'

/** Claims of an access token (RFC 9068 2.2), times in epoch seconds. */
const Claims = Type.Object({
  iss: Type.String(),
  aud: Type.Union([Type.String(), Type.Array(Type.String())]),
  sub: Type.String(),
  exp: Type.Integer(),
  iat: Type.Integer(),
  jti: Type.String(),
  client_id: Type.String({ description: 'The client kind' }),
  sid: Type.String({ description: 'Session' }),
  tid: Type.Integer({ description: 'Tenant' }),
  gen: Type.Integer({ description: 'Generation of the session in which the token was issued' }),
})
export type Claims = Static<typeof Claims>

/** What a token is issued with besides the claims that Rollcall reads itself. */
export interface FurtherClaims {
  /** Audiences besides that of the configuration. */
  audiences: string[]
  /** For other services only: Rollcall reads the current ones from the database. */
  lists: { roles?: string[]; permissions?: string[] }
}
const areClaims = TypeCompiler.Compile(Claims)
const claimNames = Object.keys(Claims.properties) as (keyof Claims)[]
const pickClaims = (claims: Claims) => Object.fromEntries(claimNames.map((name) => [name, claims[name]])) as Claims

const header = (kid: string) => ({ alg: 'ES256', typ: 'at+jwt', kid }) as const
const encodedHeader = (kid: string) => Buffer.from(JSON.stringify(header(kid))).toString('base64url')
/** Verified tokens that need not be verified again, and how many characters they have together. */
const maxVerified = { max: 10_000, maxSize: 8_000_000 }

interface Names {
  issuer: string
  audience: string
}

export const signOptions = ({ kid }: SigningKey) => ({ algorithm: 'ES256', header: header(kid) }) as const

export const verifyOptions = ({ issuer, audience }: Names) =>
  ({
    algorithms: ['ES256' as const],
    allowedIss: issuer,
    allowedAud: audience,
    checkTyp: 'at+jwt',
    // The clock of the installation decides below: an expired token may still be refreshed.
    ignoreExpiration: true,
  }) satisfies JWT['options']['verify']

interface Collaborators {
  /** Signs and verifies with `defaultKey`, unless a call names another key. */
  jwt: Pick<JWT, 'sign' | 'verify'>
  defaultKey: SigningKey
  signingKeys: SigningKeys
  clock: Clock
  names: Names
}

/** Issues and verifies ES256 access tokens. Whether the session of a token lives is checked elsewhere. */
export const createAccessTokens = ({ jwt, defaultKey, signingKeys, clock, names }: Collaborators) => {
  let keysByHeader = new Map<string, SigningKey>()
  // By the token itself: the library's own cache hashes it each time, and keeps bad tokens as well.
  const verified = new LRUCache<string, Claims>({ ...maxVerified, sizeCalculation: (_claims, token) => token.length })
  let indexed: readonly SigningKey[] = []
  const isDefault = ({ kid }: SigningKey) => kid === defaultKey.kid

  // The exact header that this service writes selects the key: no `alg`, `kid`, `jku`, `jwk` or `x5u` of a stranger is
  // ever interpreted (RFC 8725 3.1, 3.10).
  const indexKeys = () => {
    verified.clear()
    indexed = signingKeys.all()
    keysByHeader = new Map(indexed.map((key) => [encodedHeader(key.kid), key]))
  }

  const findKey = async (token: string): Promise<SigningKey | undefined> => {
    const head = token.slice(0, token.indexOf('.'))
    const key = keysByHeader.get(head)
    if (key || !(await signingKeys.reload())) return key
    indexKeys()
    return keysByHeader.get(head)
  }

  const verifyAnew = async (token: string): Promise<Claims> => {
    const key = await findKey(token)
    if (!key) throw problem('token_invalid')
    try {
      const claims: unknown = jwt.verify(token, isDefault(key) ? undefined : { key: key.publicPem })
      if (!areClaims.Check(claims)) throw problem('token_invalid')
      const read = pickClaims(claims)
      verified.set(token, read)
      return read
    } catch (cause) {
      throw problem('token_invalid', { cause })
    }
  }

  return {
    issue(claims: Omit<Claims, 'iss' | 'aud'>, { audiences, lists }: FurtherClaims): string {
      const key = signingKeys.current()
      const options = isDefault(key) ? undefined : { ...signOptions(key), key: key.privatePem }
      const aud = audiences.length === 0 ? names.audience : [names.audience, ...audiences]
      return jwt.sign({ iss: names.issuer, aud, ...claims, ...lists }, options)
    },

    /** Throws `token_invalid` unless this service issued the token for itself. An expired token passes and is marked. */
    async verify(token: string): Promise<{ claims: Claims; expired: boolean }> {
      // After a change of the keys, tokens of a removed one must not pass.
      if (indexed !== signingKeys.all()) indexKeys()
      const claims = verified.get(token) ?? (await verifyAnew(token))
      return { claims, expired: clock.now() >= claims.exp * 1000 }
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
