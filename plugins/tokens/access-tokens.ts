import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { createSigner, createVerifier } from 'fast-jwt'
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
const verifiedTokens = 10_000

/** Issues and verifies ES256 access tokens. Whether their session lives is not asked here. */
export const createAccessTokens = (
  signingKeys: SigningKeys,
  clock: Clock,
  names: { issuer: string; audience: string },
) => {
  type Signer = (claims: Claims) => string
  type Verifier = (token: string) => unknown
  const signers = new WeakMap<SigningKey, Signer>()
  let verifiers = new Map<string, Verifier>()
  // By the token itself: the library's own memory hashes it each time, and remembers bad ones as well.
  const verified = new LRUCache<string, Claims>({ max: verifiedTokens })

  const signerOf = (key: SigningKey): Signer => {
    let signer = signers.get(key)
    if (!signer) {
      signer = createSigner({ key: key.privatePem, algorithm: 'ES256', header: header(key.kid) })
      signers.set(key, signer)
    }
    return signer
  }

  // The exact header that we write selects the verifier. So no `alg`, `kid`, `jku`, `jwk` or `x5u` of a stranger is
  // ever interpreted (RFC 8725 3.1, 3.10).
  const indexVerifiers = () => {
    verified.clear()
    verifiers = new Map(
      signingKeys.all().map((key) => [
        encodedHeader(key.kid),
        createVerifier({
          key: key.publicPem,
          algorithms: ['ES256'],
          allowedIss: names.issuer,
          allowedAud: names.audience,
          checkTyp: 'at+jwt',
          // Expiry is judged by our clock, below: an expired token may still be refreshed.
          ignoreExpiration: true,
        }) as Verifier,
      ]),
    )
  }

  const findVerifier = async (token: string): Promise<Verifier | undefined> => {
    if (verifiers.size === 0) indexVerifiers()
    const head = token.slice(0, token.indexOf('.'))
    const verifier = verifiers.get(head)
    if (verifier || !(await signingKeys.reload())) return verifier
    indexVerifiers()
    return verifiers.get(head)
  }

  const verifyAnew = async (token: string): Promise<Claims> => {
    const verifier = await findVerifier(token)
    if (!verifier) throw problem('token_invalid')
    try {
      const claims = verifier(token)
      if (!areClaims.Check(claims)) throw problem('token_invalid')
      verified.set(token, claims)
      return claims
    } catch (cause) {
      throw problem('token_invalid', { cause })
    }
  }

  return {
    issue: (claims: Omit<Claims, 'iss' | 'aud'>): string =>
      signerOf(signingKeys.current())({ iss: names.issuer, aud: names.audience, ...claims }),

    /** Throws `token_invalid` unless we signed the token for ourselves. An expired one passes, marked so. */
    verify: (token: string): MaybePromise<{ claims: Claims; expired: boolean }> =>
      andThen(verified.get(token) ?? verifyAnew(token), (claims) => ({
        claims,
        expired: clock.now() >= claims.exp * 1000,
      })),
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
