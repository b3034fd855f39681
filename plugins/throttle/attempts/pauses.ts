import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'

/**
 * Notes until when somebody has to wait who has failed at an account. Only for whoever administers it: counters decide, and cannot be
 * listed, because their keys contain addresses and devices.
 */
export const createPauses = (store: Store, clock: Clock) => ({
  /** `begun` has when the pauses of some counters end, in epoch milliseconds. */
  async note(key: string, begun: (number | undefined)[]): Promise<void> {
    const until = Math.max(0, ...begun.filter((end) => end !== undefined))
    if (until === 0) return
    const known = (await store.getMany([key])).get(key)?.expiry ?? 0
    // A shorter pause of somebody else leaves the longer one.
    if (until > known) await store.set(key, '', until - clock.now())
  },

  /** The latest end that is noted; undefined where nobody waits. */
  async latest(keys: string[]): Promise<number | undefined> {
    const ends = [...(await store.getMany(keys)).values()].map(({ expiry }) => expiry)
    return ends.length === 0 ? undefined : Math.max(...ends)
  },
})

export type Pauses = ReturnType<typeof createPauses>
