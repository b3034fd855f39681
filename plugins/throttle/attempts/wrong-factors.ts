import type { Store } from '../../../db/repositories/store.js'

const day = 24 * 3600 * 1000
/** Wrong factors of an account of which its owner is told. */
const suspicious = 5

/**
 * Counts the wrong factors of an account in 24 hours, wherever they were tried and whatever right ones came between. Resolves to whether
 * the owner is to be told now: at the fifth one, or where so many came in a row at one place over any time; once in 24 hours.
 */
export const createWrongFactors =
  (store: Store) =>
  async (account: string, inRow: number): Promise<boolean> => {
    const { count } = await store.increment(`factor:wrong:${account}`, 1, day)
    if (Math.max(count, inRow) < suspicious) return false
    const { count: times } = await store.increment(`factor:told:${account}`, 1, day)
    return times === 1
  }
