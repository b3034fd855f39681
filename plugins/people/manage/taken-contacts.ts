import type { Needs } from '../../../lib/needs.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import type { Manager } from './policy.js'

/** How often somebody who may not see contacts is told in an hour that somebody has one. */
const maxTold = 20
const hour = 3_600_000

const contacts = ['phone', 'email']

/** Limits how often callers without `system:user:contact` learn that a contact belongs to somebody. */
export const createTakenContacts = ({ audit, clock, db, store }: Needs<'audit' | 'clock' | 'db' | 'store'>) => ({
  /**
   * Runs `work`, which adds accounts and may throw `invalid_request` with a contact that is taken; `name` is what is added.
   * Contacts are told only when nothing else is wrong: otherwise guesses that fail would leave no account behind. Throws
   * `too_many_requests`, whatever the contacts, when the caller has been told too often.
   */
  tell: async <T>(
    actor: Manager,
    { name, tenantId }: { name: string; tenantId: number | null },
    work: () => Promise<T>,
  ): Promise<T> => {
    const { caller } = actor
    if (caller === undefined || seesContacts(caller)) return work()
    const key = `contacts-told:${caller.user.id}`
    // Counted first and given back: otherwise parallel requests would all be told.
    const { count, expiry } = await store.increment(key, 1, hour)
    const giveBack = () => store.increment(key, -1, hour)
    if (count > maxTold) {
      await giveBack()
      throw problem('too_many_requests', { retryAfter: Math.max(1, (expiry - clock.now()) / 1000) })
    }
    try {
      const result = await work()
      await giveBack()
      return result
    } catch (error) {
      const faults = isProblem(error) ? (error.details.faults ?? []) : []
      const told = faults.filter(
        ({ field, rule }) => rule === 'contact_taken' || (rule === 'taken' && contacts.includes(field)),
      )
      const others = faults.filter((fault) => !told.includes(fault))
      if (told.length === 0 || others.length > 0) await giveBack()
      if (told.length === 0) throw error
      if (others.length > 0) throw problem('invalid_request', { faults: others })
      const target = { type: 'user', id: '', name, tenantId } as const
      await audit.record(db, actor, { action: 'user.taken', target, after: { fields: told.map(({ field }) => field) } })
      throw error
    }
  },
})

export type TakenContacts = ReturnType<typeof createTakenContacts>
