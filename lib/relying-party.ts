import { isIP } from 'node:net'
import type { Settings } from '../schemas/settings.js'
import { isLoopback } from './loopback.js'
import { publicUrlOf } from './public-url.js'

/** For which domain passkeys are made, and from which pages they are accepted. */
export interface RelyingParty {
  rpId: string
  origins: string[]
  /** Where people use them: the first origin that is one of pages, or `publicUrl` if it has this origin; null if there is none. */
  address: string | null
}

export type RelyingPartySettings = Pick<Settings, 'passkeys' | 'publicUrl' | 'issuer' | 'host' | 'port'>

/** What Android names in place of an origin: the SHA-256 of the certificate that an app is signed with, base64url. */
export const isAppOrigin = (text: string): boolean => /^android:apk-key-hash:[\w-]{43}$/.test(text)

/** The host of a URL, an IPv6 address without brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

const isAddress = (host: string): boolean => isIP(host) !== 0

/** Browsers have passkeys in secure contexts only. */
const isSecure = (origin: string): boolean => {
  const { protocol, hostname } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const isBelow = (host: string, rpId: string): boolean => host === rpId || host.endsWith(`.${rpId}`)

/** A domain as browsers write it: in lower case, in ASCII, without port, path and dot at the end. */
const isDomain = (text: string): boolean =>
  URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text && !text.endsWith('.')

/** The address of the service, unless passkeys cannot be used there. */
const usablePublicUrl = (settings: RelyingPartySettings): string | undefined => {
  const url = publicUrlOf(settings)
  return url !== undefined && isSecure(url) && !isAddress(hostOf(url)) ? url : undefined
}

const isLocalService = (settings: RelyingPartySettings): boolean =>
  publicUrlOf(settings) === undefined && isLoopback(settings.host)

const rpIdOf = (settings: RelyingPartySettings): string | undefined => {
  if (settings.passkeys.rpId !== null) return settings.passkeys.rpId
  const url = usablePublicUrl(settings)
  if (url !== undefined) return hostOf(url)
  return isLocalService(settings) ? 'localhost' : undefined
}

const pageOriginsOf = (settings: RelyingPartySettings, port: number): string[] => {
  const { origins, rpId } = settings.passkeys
  const pages = origins.filter((origin) => !isAppOrigin(origin))
  if (pages.length > 0) return pages
  // With an `rpId` of its own the address must fit, which is checked; otherwise one that does not fit means no passkeys.
  const url = rpId === null ? usablePublicUrl(settings) : publicUrlOf(settings)
  if (url !== undefined) return [new URL(url).origin]
  return isLocalService(settings) ? [new URL(`http://localhost:${port}`).origin] : []
}

/** Where pages can use passkeys, with the prefix of the service if that is there. */
const addressOf = (settings: RelyingPartySettings, [first]: string[]): string | null => {
  const url = publicUrlOf(settings)
  return url !== undefined && new URL(url).origin === first ? url : (first ?? null)
}

/** Undefined where there are no passkeys. `port` is the one on which the service listens. */
export const relyingPartyOf = (settings: RelyingPartySettings, port = settings.port): RelyingParty | undefined => {
  const rpId = rpIdOf(settings)
  if (rpId === undefined) return undefined
  const pages = pageOriginsOf(settings, port)
  const apps = settings.passkeys.origins.filter(isAppOrigin)
  return { rpId, origins: [...pages, ...apps], address: addressOf(settings, pages) }
}

/** What is wrong with the settings of passkeys, with the path of the setting. */
export const passkeyFaults = (settings: RelyingPartySettings): { path: string; message: string }[] => {
  const { rpId, origins } = settings.passkeys
  const faults: { path: string; message: string }[] = []
  const domain = rpIdOf(settings)
  if (rpId !== null && isAddress(rpId.replace(/^\[|\]$/g, '')))
    faults.push({ path: 'passkeys.rpId', message: 'must be a domain: browsers refuse passkeys for an IP address' })
  else if (rpId !== null && !isDomain(rpId))
    faults.push({
      path: 'passkeys.rpId',
      message: 'must be a domain such as example.com, in lower case, without port and path',
    })
  if (domain === undefined && origins.length > 0)
    faults.push({
      path: 'passkeys.rpId',
      message: 'is missing: there are passkeys.origins, and no publicUrl with a domain and https',
    })
  const pages = origins.filter((origin) => !isAppOrigin(origin))
  const used = domain === undefined ? pages : pageOriginsOf(settings, settings.port)
  if (rpId !== null && used.length === 0)
    faults.push({
      path: 'passkeys.origins',
      message: 'has no origin: set it or publicUrl, because passkeys.rpId is set',
    })
  const path = pages.length > 0 ? 'passkeys.origins' : 'publicUrl'
  for (const origin of used) {
    const host = hostOf(origin)
    if (isAddress(host)) faults.push({ path, message: `has ${origin}: browsers refuse passkeys at an IP address` })
    else if (!isSecure(origin))
      faults.push({ path, message: `has ${origin}: browsers have passkeys by https or on localhost only` })
    else if (domain !== undefined && !isBelow(host, domain))
      faults.push({ path, message: `has ${origin}, whose host is neither ${domain} (passkeys.rpId) nor below it` })
  }
  return faults
}
