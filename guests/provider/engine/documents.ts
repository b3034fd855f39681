import { Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../lib/clock.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { isLoopback } from '../../../lib/loopback.js'
import type { Outbound } from '../../../lib/outbound.js'
import { isRedirectUri } from '../clients/redirect-uri.js'

interface Collaborators {
  /** Addresses of documents; one that ends with a slash means all below it. */
  listed: readonly string[]
  outbound: Pick<Outbound, 'fetch'>
  clock: Clock
}

const maxLength = 500
const maxCharacters = 10_000
/** Strangers may name any address below a listed one: of those that have not been good yet so many are fetched in a minute. */
const maxFetches = 60
const minute = 60_000

const readDocument = jsonReader(
  Type.Object({
    client_id: Type.String(),
    client_name: Type.Optional(Type.String()),
    redirect_uris: Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 50 }),
    token_endpoint_auth_method: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.Never()),
  }),
)

/** Of an address of its own: none at this machine by https, which no app has. */
const isAcceptable = (uri: string): boolean =>
  isRedirectUri(uri, 'native') && !(uri.startsWith('https:') && isLoopback(new URL(uri).hostname))

/**
 * The documents by which applications describe themselves (OAuth Client ID Metadata Document, draft 02). Nothing is taken of them but the name and
 * the addresses to which people are sent back: what a document says of anything else changes nothing.
 */
export const createDocuments = ({ listed, outbound, clock }: Collaborators) => {
  const isListed = (id: string): boolean =>
    id.length <= maxLength && listed.some((one) => (one.endsWith('/') ? id.startsWith(one) : id === one))

  const read = async (id: string): Promise<string> => {
    const response = await outbound.fetch(id, { headers: { accept: 'application/json' } })
    if (response.status !== 200) throw new Error(`the document was answered with ${response.status}`)
    const text = await response.text()
    if (text.length > maxCharacters) throw new Error(`the document has more than ${maxCharacters} characters`)
    const document = readDocument(text)
    if (!document) throw new Error('the document is not that of a public application')
    const { client_id: named, client_name: name, redirect_uris: uris, token_endpoint_auth_method: method } = document
    if (named !== id) throw new Error(`the document says client_id ${named.slice(0, maxLength)}`)
    if (method !== undefined && method !== 'none')
      throw new Error(`the document says token_endpoint_auth_method ${method.slice(0, 100)}, which is not taken`)
    const redirectUris = uris.filter(isAcceptable)
    if (redirectUris.length === 0) throw new Error('the document has no redirect URI that may be used')
    return JSON.stringify({
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      // Any port of this machine (RFC 8252 7.3), and a consent each time (8.6).
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  }

  // A flood of others keeps none of them out.
  const good = new LRUCache<string, true>({ max: 1000 })
  // Those that fail, too.
  const known = new LRUCache<string, Promise<string>>({ max: 100, ttl: minute })
  let fetches: number[] = []

  return {
    isListed,

    /** The document as the library takes it. Rejects with what is wrong with it. */
    async read(id: string): Promise<Response> {
      let document = known.get(id)
      if (!document) {
        const now = clock.now()
        fetches = fetches.filter((time) => now - time < minute)
        if (!listed.includes(id) && !good.has(id)) {
          if (fetches.length >= maxFetches) throw new Error('too many documents are asked for: try again later')
          fetches.push(now)
        }
        document = read(id)
        known.set(id, document)
      }
      const text = await document
      good.set(id, true)
      return new Response(text)
    },
  }
}

export type Documents = ReturnType<typeof createDocuments>
