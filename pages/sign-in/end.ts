import { base, hasPage } from '../shared/base.js'
import { client } from '../shared/session/client.js'
import { safeNext } from './next.js'

/** Every permission of the service begins so, and a `*` covers some of them. */
const isOfService = (permission: string): boolean => /^(system:|\*)/.test(permission)

/** Whether the account has signed in once, now. Without an answer it counts as an account that has come before. */
const isOnlySignIn = async (): Promise<boolean> => {
  const query = { pageSize: 1 }
  const { total } = await client.call('GET /auth/login-log/page', { query }).catch(() => ({ total: undefined }))
  return total === 1
}

/** How somebody has signed in, as far as the end depends on it. */
interface Arrival {
  /** Whether the account has got its first own password now; undefined where the session is older than this page. */
  isFirst: boolean | undefined
  isRecovered: boolean
}

/**
 * The address where a sign-in ends: the one that was asked for, or the account. Whoever may administer begins at the console, where a new
 * installation says what it lacks: after the first own password, and at the very first sign-in. After a recovery code it is the page of the
 * factors, one of which is lost. Resolves to undefined where no page follows.
 */
export const endOf = async (
  permissions: readonly string[],
  { isFirst, isRecovered }: Arrival,
): Promise<string | undefined> => {
  const next = safeNext(new URLSearchParams(location.search).get('next'), location.origin)
  // `/` leads to the account, too, so that nobody need have asked for it.
  if (next !== undefined && next !== new URL('account', base).href) return next
  const mayBeginAtConsole = isFirst !== undefined && hasPage('console') && permissions.some(isOfService)
  if (mayBeginAtConsole && (isFirst || (!isRecovered && (await isOnlySignIn())))) return new URL('console', base).href
  const account = isRecovered ? 'account/security#recovered' : 'account'
  return hasPage('account') ? new URL(account, base).href : undefined
}
