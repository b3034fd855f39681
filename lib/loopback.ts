import ipaddr from 'ipaddr.js'

/** Whether whoever connects to this host name or address must be on the same machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
