import { isLoopback } from '../../lib/loopback.js'
import type { Settings } from '../../schemas/settings.js'
import type {} from './settings.js'

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

const issuerFault = (issuer: string): string | undefined => {
  const because = 'because provider.enabled is true'
  if (!issuer.includes('://'))
    return `must be the address at which people open the service, such as https://id.example.com, ${because}`
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return undefined
  return `must begin with https://, ${because}; http is for this machine alone, such as http://localhost:3000`
}

/** What single sign-on needs and does not find. All of it at once. */
export const faultsOf = ({
  provider: { enabled, signInPage },
  issuer,
  publicUrl,
  pages,
}: Settings): { path: string; message: string }[] => {
  if (!enabled) return []
  const issuerMessage = issuerFault(issuer)
  const differs = publicUrl !== null && !issuerMessage && withoutSlash(publicUrl) !== withoutSlash(issuer)
  return [
    ...(issuerMessage ? [{ path: 'issuer', message: issuerMessage }] : []),
    ...(differs
      ? [
          {
            path: 'publicUrl',
            message: `must be the same address as issuer, or null, because provider.enabled is true`,
          },
        ]
      : []),
    ...(!pages.signIn && signInPage === null
      ? [
          {
            path: 'provider.signInPage',
            message: 'must be the path of a sign-in page, because provider.enabled is true and pages.signIn is false',
          },
        ]
      : []),
  ]
}
