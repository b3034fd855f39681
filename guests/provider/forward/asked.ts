import type { IncomingHttpHeaders } from 'node:http'
import { hostKey } from './hosts.js'

/** What a proxy was asked for. */
export interface Asked {
  method: string
  /** Undefined for one that cannot be protected: by plain http, or no name of a host. */
  host: string | undefined
  /** Path and query, as the browser has sent them. */
  uri: string
}

const named = {
  method: 'x-forwarded-method',
  scheme: 'x-forwarded-proto',
  host: 'x-forwarded-host',
  uri: 'x-forwarded-uri',
} as const
type Part = keyof typeof named

/** Names of headers as proxies are told to send them. */
export type MissingHeader = (typeof named)[Part]

/** A header that came twice, or that a proxy has added to, says nothing. */
const forms: Record<Part, RegExp> = {
  method: /^[A-Z]{1,20}$/,
  scheme: /^https?$/i,
  host: /^[^\s,]{1,300}$/,
  uri: /^\/[^\s]*$/,
}

/** Reads what a proxy says that is trusted; or which of its headers is not there, or is no such thing. */
export const readAsked = (headers: IncomingHttpHeaders): Asked | MissingHeader => {
  const said = (part: Part): string | undefined => {
    const value = headers[named[part]]
    return typeof value === 'string' && forms[part].test(value) ? value : undefined
  }
  const [method, scheme, host, uri] = [said('method'), said('scheme'), said('host'), said('uri')]
  if (method === undefined) return named.method
  if (scheme === undefined) return named.scheme
  if (host === undefined) return named.host
  if (uri === undefined) return named.uri
  return { method, host: hostKey(scheme.toLowerCase(), host), uri }
}

/** Whether a person waits for a page: only they are led to the sign-in. Scripts, forms and programs could not go on there. */
export const wantsPage = (method: string, headers: IncomingHttpHeaders): boolean => {
  if (method !== 'GET' || headers['x-requested-with'] !== undefined) return false
  // nginx does not pass `Upgrade` on.
  if (headers.upgrade !== undefined || headers['sec-websocket-key'] !== undefined) return false
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = headers
  if (mode !== undefined || target !== undefined) return mode === 'navigate' && target === 'document'
  return (headers.accept ?? '').includes('text/html')
}

/** Longer ones are not kept through a sign-in. */
export const maxReturn = 2048

/**
 * The address of the protected origin to which somebody comes back; undefined for what leads anywhere else. Browsers read a backslash as a
 * slash, take tabs and line ends out, and an address that begins with two slashes is that of another host.
 */
export const readReturn = (text: string, origin: string): string | undefined => {
  if (text.length > maxReturn || /[\\\p{Cc}]/u.test(text) || !/^(\/|https?:\/\/)/.test(text)) return undefined
  if (!URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  const isThere = url.origin === origin && url.username === '' && url.password === '' && !url.pathname.startsWith('//')
  return isThere ? url.href : undefined
}
