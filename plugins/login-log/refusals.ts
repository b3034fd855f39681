import { hash } from 'node:crypto'
import type { LoginLogRepository, NewLoginEvent } from '../../db/repositories/login-log.js'
import type { Store } from '../../db/repositories/store.js'

const hour = 3600 * 1000
/** Rows of one hour: whoever makes up new names each time must not fill the disk, nor hide the tries of others. */
const maxRows = { address: 50, all: 1000 }
/** What stands in a row for many refusals that were not alike. */
const various = '******'

/** Keeps refused tries. Those of one hour that are alike are one row with a count, and so are those beyond `maxRows`. */
export const createRefusals = (
  repository: Pick<LoginLogRepository, 'add' | 'hasRefusal'>,
  store: Store,
  /** The subscriber behind a network address. */
  addressKey: (address: string) => string,
) => {
  /** Rows that are being written at this moment, by key: parallel refusals that are alike are counted in one. */
  const beginning = new Map<string, Promise<void>>()

  // Not the user agent: a stranger can send another one each time.
  const keyOf = (event: NewLoginEvent): string => {
    const { time, tenantId, subject, authType, userClient, address, reason } = event
    const alike = [Math.floor(time / hour), tenantId, subject, authType, userClient, addressKey(address), reason]
    return hash('sha256', JSON.stringify(alike), 'base64url')
  }
  const ofAddress = (event: NewLoginEvent): NewLoginEvent => ({
    ...event,
    tenantId: 0,
    subject: various,
    authType: various,
    userClient: various,
    userAgent: various,
  })
  const ofAll = (event: NewLoginEvent): NewLoginEvent => ({ ...ofAddress(event), address: various })

  const isThere = (event: NewLoginEvent) => repository.hasRefusal(keyOf(event))
  const exceeds = async (event: NewLoginEvent, of: string, most: number): Promise<boolean> => {
    const { count } = await store.increment(`login-log:${Math.floor(event.time / hour)}:${of}`, 1, hour)
    return count > most
  }

  /** The event itself when its row may be there, otherwise that of its address, or that of all addresses. */
  const choose = async (event: NewLoginEvent): Promise<NewLoginEvent> => {
    if (await isThere(event)) return event
    const isMany = await exceeds(event, `address:${addressKey(event.address)}`, maxRows.address)
    const chosen = isMany ? ofAddress(event) : event
    if (isMany && (await isThere(chosen))) return chosen
    return (await exceeds(event, 'all', maxRows.all)) ? ofAll(event) : chosen
  }

  return {
    async add(event: NewLoginEvent): Promise<void> {
      const key = keyOf(event)
      await beginning.get(key)
      const adding = choose(event).then((chosen) => repository.add(chosen, keyOf(chosen)))
      if (!beginning.has(key))
        beginning.set(
          key,
          adding.catch(() => undefined).finally(() => beginning.delete(key)),
        )
      await adding
    },
  }
}

export type Refusals = ReturnType<typeof createRefusals>
