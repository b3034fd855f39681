import { base, hasPage } from '../shared/base.js'
import { arrival } from './arrival.js'

/** Longer ones are no address that a page has made. */
const maxNext = 2048
// Browsers read a backslash as a slash, and take tabs and line ends out of an address.
const unsafe = /[\\\p{Cc}]/u

/**
 * Where to go after the sign-in: the address of the path of this origin in `?next=`, with the origin; undefined for anything else. What is
 * judged is the path that remains when the browser has taken `..` out of it, and what is returned needs no base: a path that begins with two
 * slashes is the address of another host.
 */
const safeNext = (next: string | null | undefined, origin: string): string | undefined => {
  if (!next?.startsWith('/') || next.length > maxNext || unsafe.test(next)) return undefined
  if (!URL.canParse(next, origin)) return undefined
  const target = new URL(next, origin)
  return target.origin === origin && !target.pathname.startsWith('//') ? target.href : undefined
}

/** Whether a permission covers one to list something: each page to which the menu of the console leads needs one. */
const opensConsole = (permission: string): boolean => /^(system|\*):[^:]+:(list|\*)$/.test(permission)

/** How somebody has signed in, as far as the end depends on it. */
interface Arrival {
  /** Whether the person has just chosen a password; undefined where the session is older than this page. */
  hasNewPassword: boolean | undefined
  isRecovered: boolean
}

/**
 * The address where a sign-in ends: the one where an application waits, the one that was asked for, or the account. Whoever has a page of the console begins there, where a new
 * installation says what it lacks; a session that is older than this page goes on at the account. After a recovery code it is the page of the
 * factors, one of which is lost. The account says that the new password is set. Undefined where no page follows.
 */
export const endOf = (permissions: readonly string[], { hasNewPassword, isRecovered }: Arrival): string | undefined => {
  if (arrival) return arrival.target
  const next = safeNext(new URLSearchParams(location.search).get('next'), location.origin)
  // `/` leads to the account, too, so that nobody need have asked for it.
  if (next !== undefined && next !== new URL('account', base).href) return next
  const beginsAtConsole =
    hasNewPassword !== undefined && !isRecovered && hasPage('console') && permissions.some(opensConsole)
  if (beginsAtConsole) return new URL('console', base).href
  const account = isRecovered ? 'account/security#recovered' : hasNewPassword ? 'account#password-set' : 'account'
  return hasPage('account') ? new URL(account, base).href : undefined
}
