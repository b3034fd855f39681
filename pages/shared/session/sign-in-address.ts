import { base } from '../base.js'
import { languageQuery } from '../language/language.js'
import { readStored, store } from '../stored.js'

/** The tenant of who has signed in here and not out again. The number alone: others may use this browser, too. */
const tenantKey = 'rollcall-tenant'
/** The one of everybody who names none. */
const defaultTenant = '1'

/** Keeps the tenant for the time when the session has ended and nobody knows any more whose it was; undefined forgets it. */
export const keepTenant = (id: number | undefined): void => {
  const tenant = String(id ?? defaultTenant)
  store(tenantKey, tenant === defaultTenant ? null : tenant)
}

/** Where somebody of the tenant signs in; absent means the one that is kept. The sign-in page itself goes by its address alone. */
export const signInAddress = (
  tenant: string | number | null | undefined = readStored(tenantKey),
  more: Record<string, string> = {},
): string => {
  const named = String(tenant ?? defaultTenant)
  const query = { ...more, ...(named !== defaultTenant && { tenant: named }), ...languageQuery() }
  const search = new URLSearchParams(query).toString()
  return `${base.href}sign-in${search && `?${search}`}`
}
