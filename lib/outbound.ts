import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import type { Settings } from '../schemas/settings.js'

/** Larger responses are refused: discovery documents, key sets and tokens are a few KiB. */
const maxResponseBytes = 1024 * 1024
/** Connections to one service; further requests wait, within their timeout. */
const maxConnections = 16

/** The other service did not answer as it should: not at all, not now, or more than the limits allow. */
export class OutboundError extends Error {
  /** Of an answer that says to ask again later. */
  readonly status: number | undefined
  constructor(message: string, { status, ...options }: ErrorOptions & { status?: number | undefined } = {}) {
    super(message, options)
    this.status = status
  }
}

/** IPv6 global unicast. Without this check ipaddr.js takes addresses such as `::127.0.0.1` for public. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

const isPublic = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  const isReserved = address instanceof ipaddr.IPv6 && !address.match(globalUnicast)
  return address.range() === 'unicast' && !isReserved
}

type LookupCallback = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void

/**
 * Resolves the host name of a connection and refuses private addresses. An earlier check could be evaded by DNS rebinding.
 */
const lookupPublic = (host: string, options: LookupOptions, done: LookupCallback): void => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    if (error) {
      // After an error `addresses` is undefined.
      done(error, [])
      return
    }
    const [first] = addresses
    const isRefused = !addresses.every(({ address }) => isPublic(address))
    if (isRefused) done(new OutboundError(`${host} is at a private address`), [])
    else if (!first) done(new OutboundError(`${host} has no address`), [])
    else if (options.all) done(null, addresses)
    else done(null, first.address, first.family)
  })
}

export interface OutboundRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | undefined
}

/** `timeout` in seconds, for the whole request. */
type Limits = Pick<Settings['federation'], 'timeout' | 'allowHttp' | 'allowPrivateAddresses'>

/**
 * Sends requests to other services: only TLS and only public addresses unless the settings say otherwise, no redirects, one timeout for
 * the whole request, and a limited response size. Rejects with an `OutboundError`, for the statuses 429 and 5xx, too.
 */
export const createOutbound = ({ timeout, allowHttp, allowPrivateAddresses }: Limits) => {
  const agent = new Agent({
    connections: maxConnections,
    maxResponseSize: maxResponseBytes,
    connect: allowPrivateAddresses ? {} : { lookup: lookupPublic },
  })

  /** Throws an `OutboundError` for a URL that is not allowed. */
  const check = (url: URL): void => {
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
      throw new OutboundError(`${url.origin} is not https`)
    }
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // IP addresses never reach `lookupPublic`, so they are checked here.
    if (!allowPrivateAddresses && isIP(host) > 0 && !isPublic(host)) {
      throw new OutboundError(`${url.origin} is a private address`)
    }
  }

  const send = async (url: URL, { method = 'GET', headers = {}, body }: OutboundRequest): Promise<Response> => {
    const answer = await request(url, {
      dispatcher: agent,
      method: method as 'GET',
      // Without compression, because a small compressed response could become a large one.
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'rollcall' },
      signal: AbortSignal.timeout(timeout * 1000),
      ...(body === undefined ? {} : { body }),
    })
    const bytes = await answer.body.bytes()
    const { statusCode } = answer
    if (statusCode >= 300 && statusCode < 400) throw new OutboundError('it redirects')
    if (statusCode === 429 || statusCode >= 500) {
      throw new OutboundError(`it answered ${statusCode}`, { status: statusCode })
    }
    const contentType = String(answer.headers['content-type'] ?? '')
    return new Response(bytes.length > 0 ? bytes : null, {
      status: statusCode,
      headers: { 'content-type': contentType },
    })
  }

  return {
    check,
    async fetch(address: string | URL, options: OutboundRequest = {}): Promise<Response> {
      const url = new URL(address)
      check(url)
      try {
        return await send(url, options)
      } catch (error) {
        // Only the origin: the query of the URL may contain a secret.
        const status = error instanceof OutboundError ? error.status : undefined
        throw new OutboundError(`${url.origin}: ${(error as Error).message}`, { status, cause: error })
      }
    },
    close: () => agent.destroy(),
  }
}

export type Outbound = ReturnType<typeof createOutbound>
