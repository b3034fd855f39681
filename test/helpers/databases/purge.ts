import type { Database } from '../../../db/index.js'
import type { TableName } from '../../../db/keeps.js'

/** Deletes up to `limit` rows of a table that are over at the time `now`, as housekeeping does. */
export const purge = async (
  { expiring }: Pick<Database, 'expiring'>,
  name: TableName,
  now: number,
  limit: number,
  days = { loginLog: 0, audit: 0 },
): Promise<number> => {
  const found = expiring.find(({ table }) => table === name)
  if (!found) throw new Error(`Nothing in ${name} expires`)
  return found.purge(now, limit, days)
}
