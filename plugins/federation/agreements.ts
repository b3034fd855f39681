import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../db/store.js'
import type { UserClient } from '../../schemas/login.js'
import type { Sealing } from '../tokens/sealing.js'
import { problem } from '../errors/problem.js'
import type { Agreement } from './provider.js'

/** Time for signing in elsewhere, milliseconds. */
const lifetime = 600_000

/** What of a request tells the browser that began from another. */
export interface Browser {
  /** The cookie that the beginning left in it. */
  key: string | undefined
  /** A page of our own origin sends its cookies, so that one without them began elsewhere (Fetch Metadata). */
  sendsCookies: boolean
}

/** Where a sign-in takes place. */
export interface Place {
  tenantId: number
  userClient: UserClient
}

interface Kept extends Agreement, Partial<Place> {
  platform: string
  browser: string
}

const sha256 = (text: string) => hash('sha256', text, 'base64url')
const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const keyForm = /^[\w-]{22}$/

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * What is agreed on when somebody leaves for a provider, kept sealed under the hash of the state and good for one
 * return (RFC 9700 2.1.1, 4.7). `requireBrowser` refuses who cannot show the cookie, whatever they are.
 */
export const createAgreements = (store: Store, sealing: Sealing, requireBrowser: boolean) => {
  const keyOf = (state: string) => `federation:state:${sha256(state)}`

  const isSameBrowser = ({ browser }: Kept, { key, sendsCookies }: Browser): boolean =>
    key === undefined ? !requireBrowser && !sendsCookies : isSame(sha256(key), browser)

  return {
    /** Seconds that the cookie of the browser has to live. */
    lifetime: lifetime / 1000,

    /** `place` is what is known of it already: what is named now must be named on return too. */
    async make(platform: string, redirectUri: string, place: Partial<Place>, browser: Browser) {
      const agreement: Agreement = {
        state: `${platform}_${random(24)}`,
        nonce: random(24),
        verifier: random(48),
        redirectUri,
      }
      // Tabs of one browser share its key.
      const browserKey = browser.key !== undefined && keyForm.test(browser.key) ? browser.key : random(16)
      const kept: Kept = { ...agreement, ...place, platform, browser: sha256(browserKey) }
      const key = keyOf(agreement.state)
      await store.set(key, sealing.seal(JSON.stringify(kept), key), lifetime)
      return { agreement, browserKey }
    },

    /** Uses the agreement up. Throws `invalid_grant` for another platform, place or browser. */
    async take(platform: string | undefined, state: string, place: Place, browser: Browser) {
      const key = keyOf(state)
      const sealed = await store.take(key)
      if (sealed === undefined) throw problem('invalid_grant')
      const kept = JSON.parse(sealing.open(sealed, key)) as Kept
      const isSamePlace =
        (platform ?? kept.platform) === kept.platform &&
        (kept.tenantId ?? place.tenantId) === place.tenantId &&
        (kept.userClient ?? place.userClient) === place.userClient
      if (!isSamePlace || !isSameBrowser(kept, browser)) throw problem('invalid_grant')
      return kept
    },
  }
}

export type Agreements = ReturnType<typeof createAgreements>
