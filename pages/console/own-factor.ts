import { request } from '../shared/session/entered.js'
import { useLoaded } from '../shared/use-loaded.js'

/**
 * Whether the person has no second factor. The service then lets it take no required one away from others; whoever has one is asked
 * for it. False where that cannot be known: the service then says so.
 */
export const lacksFactor = (): Promise<boolean> =>
  request('GET /auth/factors').then(
    ({ factors }) => factors.length === 0,
    () => false,
  )

/** The same for a page, which asks only where the person may require one. False until it is known. */
export const useLacksFactor = (isAsked: boolean): boolean =>
  useLoaded(async () => isAsked && (await lacksFactor()), [isAsked]).data === true

/** Whether the person could not take these roles away again: one of them requires a second factor, and the person has none. */
export const cannotTakeBack = async (tenantId: number, roleKeys: readonly string[]): Promise<boolean> => {
  if (roleKeys.length === 0 || !(await lacksFactor())) return false
  const query = { tenantId, pageSize: 100 }
  const isRequiredBy = async (roleKey: string) => {
    const { records } = await request('GET /system/role/page', { query: { ...query, roleKey } })
    return records.some(({ key, secondFactorRequired }) => key === roleKey && secondFactorRequired)
  }
  const found = await Promise.all(roleKeys.map(isRequiredBy)).catch((): boolean[] => [])
  return found.includes(true)
}
