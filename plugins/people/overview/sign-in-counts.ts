import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { reasonsToGoOn, type LoginLogRepository, type OutcomePlace } from '../../../db/repositories/login-log.js'

const hourLength = 3600 * 1000
const hoursShown = 24
/** Rows that are read at a time, few enough that no request waits. */
const batch = 1000
/** Hours of a tenant that are kept. */
const maxKept = 2400
/** A sign-in at the very end of an hour is written a little later. Milliseconds. */
const settlingTime = 60_000

interface Hour {
  start: number
  signIns: number
  refusals: number
}

export const firstHour = (now: number): number => (Math.floor(now / hourLength) - hoursShown + 1) * hourLength

/** Counts sign-ins and refusals by hour. An hour that is over does not change, so each is counted once. */
export const createSignInCounts = (loginLog: Pick<LoginLogRepository, 'outcomes'>) => {
  const kept = new LRUCache<string, Hour>({ max: maxKept })

  const countHour = async (tenantId: number | undefined, start: number): Promise<Hour> => {
    const hour: Hour = { start, signIns: 0, refusals: 0 }
    let after: OutcomePlace | undefined
    do {
      const rows = await loginLog.outcomes({ tenantId, from: start, to: start + hourLength }, after, batch)
      for (const { reason, tries } of rows) {
        if (reason === null) hour.signIns += tries
        else if (!reasonsToGoOn.includes(reason)) hour.refusals += tries
      }
      after = rows.length < batch ? undefined : rows.at(-1)
      await setImmediate()
    } while (after)
    return hour
  }

  /** The current hour and those before it, oldest first. */
  return async (tenantId: number | undefined, now: number): Promise<Hour[]> => {
    const hours: Hour[] = []
    for (let index = 0; index < hoursShown; index++) {
      const start = firstHour(now) + index * hourLength
      const key = `${tenantId ?? 'all'} ${start}`
      const hour = kept.get(key) ?? (await countHour(tenantId, start))
      if (now >= start + hourLength + settlingTime) kept.set(key, hour)
      hours.push(hour)
    }
    return hours
  }
}
