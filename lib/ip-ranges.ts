import ipaddr from 'ipaddr.js'
import { remember } from './remember.js'

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** A range such as `192.0.2.0/24`, or one address; undefined where the text is neither. */
const parseRange = (text: string): Range | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Texts that are parsed once. */
const known = remember(1000, parseRange)

/** Whether a text is an address or a range of addresses (CIDR, RFC 4632). */
export const isRange = (text: string): boolean => known.of(text) !== undefined

/** Whether an address is in one of the ranges. An IPv4 address in IPv6 form counts as IPv4. */
export const inRanges = (ranges: readonly string[], address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some((text) => {
    const range = known.of(text)
    return range?.[0].kind() === parsed.kind() && parsed.match(range)
  })
}
