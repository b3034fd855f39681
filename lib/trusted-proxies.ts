import { compile } from '@fastify/proxy-addr'

/** Whether an address is one of the trusted proxies, as Fastify decides it. Throws when `ranges` has something else. */
export const trustedProxies = (ranges: string[]): ((address: string) => boolean) => {
  const trusts = compile(ranges)
  return (address) => trusts(address, 0)
}
