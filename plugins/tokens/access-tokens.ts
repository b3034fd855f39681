import type { JWT } from '@fastify/jwt'
import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { LRUCache } from 'lru-cache'
import { andThen, type MaybePromise } from '../../schemas/maybe-promise.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'
import type { SigningKey, SigningKeys } from './signing-keys.js'

/** Claims of an access token (RFC 9068 2.2), times in epoch seconds. */
const Claims = Type.Object({
  iss: Type.String(),
  aud: Type.String(),
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
const areClaims = TypeCompiler.Compile(Claims)

const header = (kid: string) => ({ alg: 'ES256', typ: 'at+jwt', kid }) as const
const encodedHeader = (kid: string) => Buffer.from(JSON.stringify(header(kid))).toString('base64url')
/** Verified tokens that need not be verified again. */
const maxVerified = 10_000

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
  const verified = new LRUCache<string, Claims>({ max: maxVerified })
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
      verified.set(token, claims)
      return claims
    } catch (cause) {
      throw problem('token_invalid', { cause })
    }
  }

  return {
    issue(claims: Omit<Claims, 'iss' | 'aud'>): string {
      const key = signingKeys.current()
      const options = isDefault(key) ? undefined : { ...signOptions(key), key: key.privatePem }
      return jwt.sign({ iss: names.issuer, aud: names.audience, ...claims }, options)
    },

    /** Throws `token_invalid` unless this service issued the token for itself. An expired token passes and is marked. */
    verify(token: string): MaybePromise<{ claims: Claims; expired: boolean }> {
      // After a change of the keys, tokens of a removed one must not pass.
      if (indexed !== signingKeys.all()) indexKeys()
      return andThen(verified.get(token) ?? verifyAnew(token), (claims) => ({
        claims,
        expired: clock.now() >= claims.exp * 1000,
      }))
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
