import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'

/**
 * Takes an entry of the store, which may be in Redis, for a transaction of the database: of parallel callers one runs `work`, the others get
 * `invalid_grant`. When `work` fails, the entry is put back until it would have expired, so that what was refused can be tried again.
 */
export const spend = async <T>(
  store: Pick<Store, 'getMany' | 'take' | 'set'>,
  clock: Clock,
  key: string,
  work: () => Promise<T>,
  /** Throws for an entry that is another one by now. */
  check: (value: string) => void = () => undefined,
): Promise<T> => {
  const entry = (await store.getMany([key])).get(key)
  const value = await store.take(key)
  if (!entry || value === undefined) throw problem('invalid_grant')
  try {
    check(value)
    return await work()
  } catch (error) {
    const left = entry.expiry - clock.now()
    // The first fault is the one to tell: without the entry the user begins anew.
    if (left > 0) await store.set(key, value, left).catch(() => undefined)
    throw error
  }
}
