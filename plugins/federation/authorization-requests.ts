import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Store } from '../../db/repositories/store.js'
import { jsonReader } from '../../lib/json-reader.js'
import type { UserClient } from '../../schemas/login.js'
import type { Sealing } from '../tokens/sealing.js'
import { problem } from '../../lib/problem.js'
import type { AuthorizationRequest } from './provider.js'

/** Time for signing in elsewhere, milliseconds. */
const lifetime = 600_000

/** What of a request tells the browser that began from another. */
export interface Browser {
  /** The cookie that the beginning left in it. */
  key: string | undefined
  /** Whether a browser sent the request. */
  isBrowser: boolean
}

/** Where a sign-in takes target. */
export interface SignInTarget {
  tenantId: number
  userClient: UserClient
}

/** Where, in what browser and in whose session a sign-in begins. */
export interface AuthorizationStart {
  /** What is known of it already: what is named now must be named on return too. */
  target: Partial<SignInTarget>
  browser: Browser
  /** Id of the session of the caller, who may link the identity there; undefined when nobody is signed in. */
  session: string | undefined
}

/** What the front end brings back beside the code. */
export interface ReturnedState {
  platform?: string
  state: string
  /** What the front end was given at the beginning, in place of the cookie. */
  verifier?: string
}

const Common = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  redirectUri: Type.String(),
  platform: Type.String(),
  tenantId: Type.Optional(Type.Integer()),
  userClient: Type.Optional(Type.Unsafe<UserClient>(Type.String())),
  verifierHash: Type.Optional(
    Type.String({ description: 'Absent in states of version 0.1.0, which returned no verifier' }),
  ),
  session: Type.Optional(Type.String()),
} satisfies Record<keyof AuthorizationRequest | keyof SignInTarget | 'platform' | 'verifierHash' | 'session', TSchema>)
const Stored = Type.Intersect([Common, Type.Object({ cookieHash: Type.String() })])
type Stored = Static<typeof Stored>

/** What version 0.1.0 kept: the hash of the cookie had another name. */
const EarlierStored = Type.Intersect([Common, Type.Object({ browser: Type.String() })])
const readEither = jsonReader(Type.Union([Stored, EarlierStored]))

const readStored = (text: string): Stored | undefined => {
  const stored = readEither(text)
  return stored && 'browser' in stored ? { ...stored, cookieHash: stored.browser } : stored
}

const sha256 = (text: string) => hash('sha256', text, 'base64url')
const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const keyForm = /^[\w-]{22}$/

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * What is agreed on when somebody leaves for a provider, kept sealed under the hash of the state and good for one
 * return (RFC 9700 2.1.1, 4.7). `acceptUnboundBrowsers` lets browsers in that show neither cookie nor verifier.
 */
export const createAuthorizationRequests = (store: Store, sealing: Sealing, acceptUnboundBrowsers: boolean) => {
  const keyOf = (state: string) => `federation:state:${sha256(state)}`

  const isSameBrowser = (stored: Stored, { verifier }: ReturnedState, { key, isBrowser }: Browser): boolean => {
    // Before the cookie, which may be that of another beginning.
    if (verifier !== undefined) return isEqual(sha256(verifier), stored.verifierHash ?? '')
    if (key !== undefined) return isEqual(sha256(key), stored.cookieHash)
    return acceptUnboundBrowsers || !isBrowser
  }

  return {
    /** Seconds that the cookie of the browser has to live. */
    lifetime: lifetime / 1000,

    /** Resolves to what is agreed on, and to the cookie and the verifier, one of which must be shown on return. */
    async create(platform: string, redirectUri: string, { target, browser, session }: AuthorizationStart) {
      const request: AuthorizationRequest = {
        state: `${platform}_${random(24)}`,
        nonce: random(24),
        verifier: random(48),
        redirectUri,
      }
      // Tabs of one browser share its key.
      const browserKey = browser.key !== undefined && keyForm.test(browser.key) ? browser.key : random(16)
      const browserVerifier = random(32)
      const hashes = { cookieHash: sha256(browserKey), verifierHash: sha256(browserVerifier) }
      const stored: Stored = { ...request, ...target, ...hashes, platform, session }
      const key = keyOf(request.state)
      await store.set(key, sealing.seal(JSON.stringify(stored), key), lifetime)
      return { request, browserKey, browserVerifier }
    },

    /** Uses the agreement up. Throws `invalid_grant` for another platform, place or browser. */
    async take(returned: ReturnedState, target: SignInTarget, browser: Browser) {
      const key = keyOf(returned.state)
      const encrypted = await store.take(key)
      if (encrypted === undefined) throw problem('invalid_grant')
      const stored = readStored(sealing.open(encrypted, key))
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
