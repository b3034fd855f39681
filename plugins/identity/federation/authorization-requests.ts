import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { UserClient } from '../../../schemas/login.js'
import type { Encryption } from '../../run/encryption/encryption.js'
import { problem } from '../../../lib/problem.js'
import type { AuthorizationRequest } from './provider.js'

/** Time that a user has to sign in at the provider. Milliseconds. */
const lifetime = 600_000

/** What identifies the browser of a request. */
export interface Browser {
  /** Value of the cookie that was set when the sign-in started. */
  key: string | undefined
  /** Whether a browser sent the request; other clients have no cookie. */
  isBrowser: boolean
}

/** The tenant and client that a user signs in to. */
export interface SignInTarget {
  tenantId: number
  userClient: UserClient
}

/** How a sign-in at a provider starts. */
export interface AuthorizationStart {
  /** A tenant or client named here must be the same on return. */
  target: Partial<SignInTarget>
  browser: Browser
  /** Id of the session of a signed-in caller, the only one that may link the identity; undefined without a session. */
  session: string | undefined
  /** Whether the state says that an identity is to be linked. */
  isBinding: boolean
}

/** What the front end sends back with the code. */
export interface ReturnedState {
  platform?: string
  state: string
  /** The verifier that the front end received at the start; it replaces the cookie. */
  verifier?: string
}

const Stored = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  redirectUri: Type.String(),
  platform: Type.String(),
  tenantId: Type.Optional(Type.Integer()),
  userClient: Type.Optional(Type.Unsafe<UserClient>(Type.String())),
  cookieHash: Type.String(),
  verifierHash: Type.String(),
  session: Type.Optional(Type.String()),
} satisfies Record<
  keyof AuthorizationRequest | keyof SignInTarget | 'platform' | 'cookieHash' | 'verifierHash' | 'session',
  TSchema
>)
type Stored = Static<typeof Stored>
const readStored = jsonReader(Stored)

const sha256 = (text: string) => hash('sha256', text, 'base64url')
const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const keyForm = /^[\w-]{22}$/

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * Authorization requests: state, nonce and PKCE verifier of sign-ins at a provider. Each is stored encrypted under the hash
 * of its state and can be used once (RFC 9700 2.1.1, 4.7). `acceptUnboundBrowsers` accepts browsers that return with
 * neither cookie nor verifier.
 */
export const createAuthorizationRequests = (store: Store, encryption: Encryption, acceptUnboundBrowsers: boolean) => {
  const keyOf = (state: string) => `federation:state:${sha256(state)}`

  const isSameBrowser = (stored: Stored, { verifier }: ReturnedState, { key, isBrowser }: Browser): boolean => {
    // The verifier is checked first: the cookie may belong to a sign-in that was started in another tab.
    if (verifier !== undefined) return isEqual(sha256(verifier), stored.verifierHash)
    if (key !== undefined) return isEqual(sha256(key), stored.cookieHash)
    return acceptUnboundBrowsers || !isBrowser
  }

  return {
    /** Lifetime of the cookie, seconds. */
    lifetime: lifetime / 1000,

    /** Resolves to the request, and to the cookie value and the verifier, one of which must be sent on return. */
    async create(platform: string, redirectUri: string, { target, browser, session, isBinding }: AuthorizationStart) {
      const request: AuthorizationRequest = {
        state: `${isBinding ? 'bind_' : ''}${platform}_${random(24)}`,
        nonce: random(24),
        verifier: random(48),
        redirectUri,
      }
      // All tabs of a browser share one cookie, so an existing key stays.
      const browserKey = browser.key !== undefined && keyForm.test(browser.key) ? browser.key : random(16)
      const browserVerifier = random(32)
      const hashes = { cookieHash: sha256(browserKey), verifierHash: sha256(browserVerifier) }
      const stored: Stored = { ...request, ...target, ...hashes, platform, session }
      const key = keyOf(request.state)
      await store.set(key, encryption.encrypt(JSON.stringify(stored), key), lifetime)
      return { request, browserKey, browserVerifier }
    },

    /** Uses the authorization request up. Throws `invalid_grant` for another platform, tenant, client or browser. */
    async take(returned: ReturnedState, target: SignInTarget, browser: Browser) {
      const key = keyOf(returned.state)
      const encrypted = await store.take(key)
      if (encrypted === undefined) throw problem('invalid_grant')
      const stored = readStored(encryption.tryDecrypt(encrypted, key) ?? '')
      if (!stored) throw problem('invalid_grant')
      const isSameTarget =
        (returned.platform ?? stored.platform) === stored.platform &&
        (stored.tenantId ?? target.tenantId) === target.tenantId &&
        (stored.userClient ?? target.userClient) === target.userClient
      if (!isSameTarget || !isSameBrowser(stored, returned, browser)) throw problem('invalid_grant')
      return stored
    },
  }
}

export type AuthorizationRequests = ReturnType<typeof createAuthorizationRequests>
