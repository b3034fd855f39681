import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import type { Settings } from '../../schemas/settings.js'

/** Discovery documents, key sets and tokens are a few KiB. */
const maxAnswerBytes = 1024 * 1024
/** Connections to one provider at once; further requests wait, within their timeout. */
const connections = 16

/** A provider did not answer, or not within the limits. */
export class OutboundError extends Error {}

/** Global unicast of IPv6; outside of it `::127.0.0.1` would count as public. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

const isPublic = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  const isOutside = address instanceof ipaddr.IPv6 && !address.match(globalUnicast)
  return address.range() === 'unicast' && !isOutside
}

type Done = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void

/** Looks up a name for a connection and refuses private addresses: checked earlier, the name could change its mind. */
const lookupPublic = (host: string, options: LookupOptions, done: Done): void => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    if (error) {
      // There are no addresses then, not even an empty list.
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

type Limits = Pick<Settings['federation'], 'timeout' | 'allowHttp' | 'allowPrivateAddresses'>

/**
 * Speaks to identity providers within limits: TLS, public addresses, no redirects, one timeout for the whole and a
 * bounded answer. Anything else rejects with an `OutboundError`.
 */
export const createOutbound = ({ timeout, allowHttp, allowPrivateAddresses }: Limits) => {
  const agent = new Agent({
    connections,
    maxResponseSize: maxAnswerBytes,
    connect: allowPrivateAddresses ? {} : { lookup: lookupPublic },
  })

  /** Throws an `OutboundError` for an address that is not spoken to. */
  const check = (url: URL): void => {
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
      throw new OutboundError(`${url.origin} is not https`)
    }
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // An address is not looked up, so that the lookup does not see it.
    if (!allowPrivateAddresses && isIP(host) > 0 && !isPublic(host)) {
      throw new OutboundError(`${url.origin} is a private address`)
    }
  }

  const send = async (url: URL, { method = 'GET', headers = {}, body }: OutboundRequest): Promise<Response> => {
    const answer = await request(url, {
      dispatcher: agent,
      method: method as 'GET',
      // Compressed, a small answer could become a large one.
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'rollcall' },
      signal: AbortSignal.timeout(timeout * 1000),
      ...(body === undefined ? {} : { body }),
    })
    const bytes = await answer.body.bytes()
    const { statusCode } = answer
    if (statusCode >= 300 && statusCode < 400) throw new OutboundError('it redirects')
    if (statusCode === 429 || statusCode >= 500) throw new OutboundError(`it answered ${statusCode}`)
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
        // The address may carry a secret in its query.
        throw new OutboundError(`${url.origin}: ${(error as Error).message}`, { cause: error })
      }
    },
    close: () => agent.destroy(),
  }
}

export type Outbound = ReturnType<typeof createOutbound>
