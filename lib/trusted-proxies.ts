import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'

/** Whether an address is one of the trusted proxies, as Fastify decides it. Throws when `ranges` has something else. */
export const trustedProxies = (ranges: string[]): ((address: string) => boolean) => {
  const trusts = compile(ranges)
  return (address) => trusts(address, 0)
}

/** An element of X-Forwarded-For without its port; undefined when it is no address. IPv6 with a port is in brackets. */
const addressOf = (element: string): string | undefined => {
  const [, inBrackets, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(element) ?? []
  const address = inBrackets ?? ipv4 ?? element
  return isIP(address) === 0 ? undefined : address
}

/**
 * Takes the ports out of the X-Forwarded-For of a trusted proxy, and what stands before an element that is no address: the proxy that wrote it
 * is then the caller. Otherwise every port, or every word that a proxy passes on, would count as an address.
 */
export const cleanForwardedFor = (
  { headers, socket }: IncomingMessage,
  isProxy: ReturnType<typeof trustedProxies>,
): void => {
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined || !isProxy(socket.remoteAddress ?? '')) return
  const elements = [forwarded].flat().join(',').split(',')
  const addresses: string[] = []
  for (const element of elements.map((text) => text.trim()).reverse()) {
    if (element === '') continue
    const address = addressOf(element)
    if (address === undefined) break
    addresses.unshift(address)
  }
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ')
  else delete headers['x-forwarded-for']
}
