import { hash } from 'node:crypto'
import type { LoginLogRepository, NewLoginEvent } from '../../../db/repositories/login-log.js'
import type { SignInName } from '../../../db/sign-in-names.js'
import type { Store } from '../../../db/repositories/store.js'
import { addressKey } from '../../../lib/address-key.js'

const hour = 3600 * 1000
/**
 * Rows per hour, for one address and in all. A client that tries a new name each time can neither fill the disk nor hide
 * the tries of others.
 */
const maxRows = { address: 50, all: 1000 }
/** The value of a column in which the refusals of one row differ. */
const mixed = '******'

/** A refused sign-in with the kind of its name: equal texts of two kinds are not the same name. */
type Refusal = NewLoginEvent & { nameKind: SignInName['kind'] | undefined }

/** Stores refused sign-ins. Equal ones within an hour share one row with a count, and so do those beyond `maxRows`. */
export const createRefusals = (repository: Pick<LoginLogRepository, 'add' | 'addToRefusals'>, store: Store) => {
  /** Rows that are being added, by key, so that equal parallel refusals share one row. */
  const adding = new Map<string, Promise<void>>()

  // Without the user agent, which a client can change with each request.
  const keyOf = (event: Refusal): string => {
    const { time, tenantId, nameKind, subject, authType, userClient, address, reason } = event
    const name = [nameKind, subject]
    const columns = [Math.floor(time / hour), tenantId, name, authType, userClient, addressKey(address), reason]
    return hash('sha256', JSON.stringify(columns), 'base64url')
  }
  const ofAddress = (event: Refusal): Refusal => ({
    ...event,
    nameKind: undefined,
    tenantId: 0,
    subject: mixed,
    authType: mixed,
    userClient: mixed,
    userAgent: mixed,
  })
  const ofAll = (event: Refusal): Refusal => ({ ...ofAddress(event), address: mixed })

  const isCounted = (event: Refusal) => repository.addToRefusals(event, keyOf(event))
  const exceeds = async (event: Refusal, counter: string, maxCount: number): Promise<boolean> => {
    const { count } = await store.increment(`login-log:${Math.floor(event.time / hour)}:${counter}`, 1, hour)
    return count > maxCount
  }

  /** Adds a row of its own, or counts the event over the limits in the row of its address or of all addresses. */
  const write = async (event: Refusal): Promise<void> => {
    if (await isCounted(event)) return
    const isOverLimit = await exceeds(event, `address:${addressKey(event.address)}`, maxRows.address)
    const chosen = isOverLimit ? ofAddress(event) : event
    if (isOverLimit && (await isCounted(chosen))) return
    const row = (await exceeds(event, 'all', maxRows.all)) ? ofAll(event) : chosen
    await repository.add(row, keyOf(row))
  }

  return {
    async add(event: Refusal): Promise<void> {
      const key = keyOf(event)
      await adding.get(key)
      const added = write(event)
      if (!adding.has(key))
        adding.set(
          key,
          added.catch(() => undefined).finally(() => adding.delete(key)),
        )
      await added
    },
  }
}

export type Refusals = ReturnType<typeof createRefusals>
