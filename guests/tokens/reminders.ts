import type { Database } from '../../db/index.js'
import type { ApiToken } from '../../db/repositories/api-tokens.js'
import type { Store } from '../../db/repositories/store.js'
import type { Clock } from '../../lib/clock.js'
import type { TimeZone } from '../../lib/time-zone.js'
import type { Notices } from '../../plugins/record/notices/notices.js'
import { userTypes } from '../../schemas/user.js'

const day = 24 * 3600 * 1000
/** Who is told so long before the end can put another token in its place. Milliseconds. */
const ahead = 7 * day
/** Tokens that are read at a time. */
const batch = 100

interface Collaborators {
  db: Pick<Database, 'apiTokens' | 'users'>
  store: Pick<Store, 'increment'>
  notices: Pick<Notices, 'tell'>
  clock: Clock
  timeZone: Pick<TimeZone, 'toNamed'>
}

/** Tells owners a week before a token ends, of a service account whoever made the token; each token once. */
export const createReminders = ({ db, store, notices, clock, timeZone }: Collaborators) => {
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
