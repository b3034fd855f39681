import ipaddr from 'ipaddr.js'

/** Whether only clients on the same machine can connect to this host name or address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
