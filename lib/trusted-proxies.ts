import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'

/** Returns a function that tells whether an address is a trusted proxy. Throws if an item of `ranges` is not a range. */
export const trustedProxies = (ranges: string[]): ((address: string) => boolean) => {
  const trusts = compile(ranges)
  return (address) => trusts(address, 0)
}

/** An element of X-Forwarded-For without its port; undefined if it is not an address. IPv6 with a port is in brackets. */
const addressOf = (element: string): string | undefined => {
  const [, inBrackets, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(element) ?? []
  const address = inBrackets ?? ipv4 ?? element
  return isIP(address) === 0 ? undefined : address
}

/**
 * Removes from the X-Forwarded-For header of a trusted proxy the ports, and an element that is not an address with all elements
 * before it; the proxy that wrote this element then counts as the client. Otherwise each port, or each text that a proxy
 * passes on, would count as an address of its own.
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
