import { LRUCache } from 'lru-cache'
import { isLoopback } from '../../../lib/loopback.js'

/** What no name of a host has, whatever a parser of addresses makes of it. */
const notInHost = /[\s/\\?#@%*,]/

/**
 * The name under which a protected host is kept: `wiki.example.com`, with a port only where it is not the one that the scheme has anyway.
 * Those of this machine that are opened by plain http begin with `http://`. Undefined for what is no host, and for others by plain http.
 */
export const hostKey = (scheme: string, host: string): string | undefined => keys.memo(`${scheme}://${host}`).key

const toKey = (address: string): string | undefined => {
  const [, scheme = '', host = ''] = /^([^:]*):\/\/([^]*)$/.exec(address) ?? []
  if (host === '' || notInHost.test(host) || !/^https?$/.test(scheme) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const name = url.hostname.replace(/\.$/, '')
  const text = url.port === '' ? name : `${name}:${url.port}`
  if (scheme === 'https') return text
  return isLoopback(name.replace(/^\[|\]$/g, '')) ? `http://${text}` : undefined
}

/** Each request asks, and of few hosts. */
const keys = new LRUCache<string, { key: string | undefined }>({
  max: 500,
  memoMethod: (address) => ({ key: toKey(address) }),
})

/** The same of what an administrator has typed: a host alone is one that is opened by https. */
export const readHost = (text: string): string | undefined => {
  const [, scheme = 'https', host = ''] = /^(?:(https?):\/\/)?([^/]*)\/?$/i.exec(text.trim()) ?? []
  return hostKey(scheme.toLowerCase(), host)
}

/** The origin of a protected host, which begins with the scheme and has no slash at the end. */
export const originOf = (key: string): string => (key.startsWith('http://') ? key : `https://${key}`)
