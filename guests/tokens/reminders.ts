import type { ApiToken } from '../../db/repositories/api-tokens.js'
import type { Needs } from '../../lib/needs.js'
import { userTypes } from '../../schemas/user.js'

const day = 24 * 3600 * 1000
/** Who is told so long before the end can put another token in its place. Milliseconds. */
const ahead = 7 * day
/** Tokens that are read at a time. */
const batch = 100

/** Tells owners a week before a token ends, of a service account whoever made the token; each token once. */
export const createReminders = (needs: Needs<'clock' | 'db' | 'notices' | 'store' | 'timeZone'>) => {
  const { clock, db, notices, store, timeZone } = needs

  const remind = async ({ id, userId, name, createdBy, expiry }: ApiToken): Promise<void> => {
    if (expiry === null) return
    // Of several processes one tells.
    const { count } = await store.increment(`token:told:${id}`, 1, ahead + day)
    if (count > 1) return
    const owner = await db.users.find(userId)
    const isService = owner?.userType === userTypes.service
    const told = isService ? createdBy !== null && (await db.users.find(createdBy)) : owner
    if (!owner || !told) return
    const values = { of: name, by: owner.username, left: timeZone.toNamed(expiry) }
    notices.tell(told, isService ? 'service_token_ends' : 'token_ends', { address: '' }, values)
  }

  return async (): Promise<void> => {
    const now = clock.now()
    for (let last = '', count = batch; count === batch;) {
      const tokens = await db.apiTokens.expiringBetween(now, now + ahead, last, batch)
      for (const token of tokens) await remind(token)
      count = tokens.length
      last = tokens.at(-1)?.id ?? ''
    }
  }
}
