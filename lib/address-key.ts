import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Bytes. One subscriber owns a whole IPv6 /64, so that counting single addresses would limit nothing. */
const ipv6Prefix = 8

/** The key under which requests of an address are counted: the IPv4 address, or the /64 of an IPv6 address. */
export const addressKey = (address: string): string => {
  // An IPv4 address has only one spelling.
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, ipv6Prefix)).toString('hex')
}
