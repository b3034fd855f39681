import { base, hasPage } from '../shared/base.js'
import { safeNext } from './next.js'

/** Every permission of the service begins so, and a `*` covers some of them. */
const isOfService = (permission: string): boolean => /^(system:|\*)/.test(permission)

/**
 * The address where a sign-in ends: the one that was asked for, or the account. Whoever may administer begins at the console, where a new
 * installation says what it lacks. After a recovery code it is the page of the factors, one of which is lost. Undefined where no page follows.
 */
export const endOf = (
  permissions: readonly string[],
  { isFirst, isRecovered }: { isFirst: boolean; isRecovered: boolean },
): string | undefined => {
  const next = safeNext(new URLSearchParams(location.search).get('next'), location.origin)
  // `/` leads to the account, too, so that nobody need have asked for it.
  if (next !== undefined && next !== new URL('account', base).href) return next
  const beginsAtConsole = isFirst && hasPage('console') && permissions.some(isOfService)
  const account = isRecovered ? 'account/security#recovered' : 'account'
  const page = beginsAtConsole ? 'console' : hasPage('account') ? account : undefined
  return page && new URL(page, base).href
}
