import { toTime } from '../../../lib/time-text.js'
import type { Client } from '../repositories/clients.js'

/** What answers and `--json` show of an application: never the hashes of secrets. */
export const toRecord = (
  { secretHash, oldSecret, lastError, createTime, updateTime, ...client }: Client,
  { tenantName, pendingLogouts }: { tenantName: string; pendingLogouts: number },
) => ({
  ...client,
  tenantName,
  hasSecret: secretHash !== null,
  oldSecretUntil: oldSecret ? toTime(oldSecret.expiry) : null,
  lastError: lastError ? { message: lastError.message, time: toTime(lastError.time) } : null,
  pendingLogouts,
  createTime: toTime(createTime),
  updateTime: toTime(updateTime),
})

export type ClientRecord = ReturnType<typeof toRecord>
