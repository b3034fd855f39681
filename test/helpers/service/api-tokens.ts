import type { Database } from '../../../db/index.js'
import type { NewApiToken } from '../../../db/repositories/api-tokens.js'
import { apiTokenHash, apiTokenStart, makeApiToken } from '../../../lib/api-token.js'
import type { Clock } from '../../../lib/clock.js'
import { randomArgument } from '../../../lib/random-id.js'

const day = 24 * 3600 * 1000

/** Stores a token of a user as an administrator's request does, whatever guests are here; resolves to it and its id. */
export const addApiToken = async (
  db: Database,
  clock: Clock,
  { id: userId, tenantId }: { id: number; tenantId: number },
  more: Partial<NewApiToken> = {},
) => {
  const token = makeApiToken()
  const id = randomArgument()
  await db.apiTokens.add({
    ...{ id, userId, tenantId, name: 'nightly', permissions: null, addresses: null, acr: 'aal1', createdBy: null },
    createTime: clock.now(),
    expiry: clock.now() + 90 * day,
    start: apiTokenStart(token),
    tokenHash: apiTokenHash(token),
    ...more,
  })
  return { token, id }
}
