import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One subscriber owns a whole IPv6 /64: counting single addresses would count nothing. */
const ipv6Prefix = 8

/** What is counted for a network address: the IPv4 address, or the /64 of an IPv6 address. */
export const addressKey = (address: string): string => {
  // Written in one way only.
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, ipv6Prefix)).toString('hex')
}
