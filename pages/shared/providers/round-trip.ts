import { base } from '../base.js'
import { client } from '../session/client.js'

/** What a page must still know when an identity provider sends the browser back. The verifier signs nobody in by itself. */
const begunKey = 'rollcall-provider'
/** What a provider has sent back for an account to which it is to be linked. */
const linkingKey = 'rollcall-linking'

/** What for: to sign in, or to link an identity to the account that is signed in. */
type Purpose = 'sign-in' | 'link'

interface Begun {
  platform: string
  verifier: string
  state: string
  purpose: string
  /** The query of the page to come back to. */
  search: string
}

/** What a provider has sent back. */
export interface Returned {
  code: string | null
  state: string | null
  iss: string | null
  verifier: string | undefined
}

const isBegun = (value: unknown): value is Begun =>
  typeof value === 'object' &&
  value !== null &&
  ['platform', 'verifier', 'state', 'purpose', 'search'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  )

const take = (key: string): unknown => {
  const text = sessionStorage.getItem(key) ?? 'null'
  sessionStorage.removeItem(key)
  return JSON.parse(text)
}

interface Departure {
  purpose: Purpose
  tenantId?: number
  /** The query of the page to come back to. */
  search: string
}

/** Sends the browser to an identity provider, which sends it back to `sign-in/return/{platform}`, the only address that it knows. */
export const leaveTo = async (platform: string, { purpose, tenantId, search }: Departure): Promise<void> => {
  const redirectUri = new URL(`sign-in/return/${platform}`, base).href
  const { authUrl, state, verifier } = await client.call('GET /social/authUrl/{platform}', {
    path: { platform },
    query: { redirectUri, ...(tenantId !== undefined && { tenantId }) },
  })
  sessionStorage.setItem(begunKey, JSON.stringify({ platform, verifier, state, purpose, search } satisfies Begun))
  location.assign(authUrl)
}

let returned: Returned | undefined

/**
 * On the page of a return: takes the code out of the address, and puts back what the query had before. What is to be linked goes on to
 * the account page.
 */
export const restoreReturn = (): void => {
  if (!location.pathname.startsWith(`${base.pathname}sign-in/return/`)) return
  const query = new URLSearchParams(location.search)
  const state = query.get('state')
  if (state === null && !query.has('error')) return
  const stored = take(begunKey)
  const begun = isBegun(stored) && stored.state === state ? stored : undefined
  returned = { code: query.get('code'), state, iss: query.get('iss'), verifier: begun?.verifier }
  history.replaceState(null, '', location.pathname + (begun?.search ?? ''))
  if (begun?.purpose !== 'link') return
  sessionStorage.setItem(linkingKey, JSON.stringify({ ...returned, platform: begun.platform }))
  location.replace(new URL('account/identities', base))
}

/** Once: a code signs in once. */
export const takeReturn = (): Returned | undefined => {
  const taken = returned
  returned = undefined
  return taken
}

/** What a provider has sent back for this account, once. */
export const takeLinking = (): (Returned & { platform: string }) | undefined =>
  (take(linkingKey) as (Returned & { platform: string }) | null) ?? undefined
