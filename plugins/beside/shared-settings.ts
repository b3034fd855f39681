import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { serverEntry as key } from '../../db/index.js'
import { jsonReader } from '../../lib/json-reader.js'
import { relyingPartyOf } from '../../lib/relying-party.js'
import { repeat } from '../../lib/repeat.js'
import type { Settings } from '../../schemas/settings.js'

/** Lifetime of the entry, so that the entry of a killed server expires. Milliseconds. */
const ttl = 150_000
/** Time after which a server renews its entry. Milliseconds. */
const renewalInterval = 60_000

/** Settings that must be the same in all servers on a database. */
const sharedBy = (settings: Settings) => {
  const { issuer, audience, clients, passwords } = settings
  const { memoryKiB, passes } = passwords
  const rpId = relyingPartyOf(settings)?.rpId ?? null
  return {
    issuer,
    audience,
    clients,
    'passwords.memoryKiB': memoryKiB,
    'passwords.passes': passes,
    'passkeys.rpId': rpId,
  }
}

type Shared = ReturnType<typeof sharedBy>

const readEntry = jsonReader(Type.Object({ shared: Type.Record(Type.String(), Type.Unknown()) }))

/** The names of settings whose values differ. */
const differences = (one: Partial<Record<keyof Shared, unknown>>, other: Shared): string[] =>
  (Object.keys(other) as (keyof Shared)[]).filter((name) => !isDeepStrictEqual(one[name], other[name]))

/**
 * Logs a warning at the start if another server on the same database has other values for settings that must be the same.
 * The first server keeps its values in the store while it runs. Later servers compare theirs, and one of them takes over
 * when the first one ends. Commands do not take part.
 */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    if (!answering) return
    const { databaseStore: store } = app
    const shared = sharedBy(app.installation.settings)
    const own = JSON.stringify({ id: randomUUID(), shared })

    const read = async (): Promise<string | undefined> => store.get(key)
    const renew = async () => {
      const current = await read()
      if (current === undefined || current === own) await store.set(key, own, ttl)
      return current
    }

    const other = await renew()
    if (other !== undefined) {
      const names = differences(readEntry(other)?.shared ?? {}, shared)
      if (names.length > 0) {
        app.log.warn(
          { settings: names },
          `Another server on this database has other values of ${names.join(', ')}, or had them until less than ` +
            `${ttl / 1000} seconds ago. All servers on a database need the same values: otherwise one refuses ` +
            'the tokens of another, and the rules for sessions and passwords depend on which server answers.',
        )
      }
    }

    const renewal = repeat(renew, {
      pause: renewalInterval,
      failed: (error) => app.log.error({ err: error }, 'could not renew the entry of the settings in use'),
    })
    app.addHook('onClose', async () => {
      await renewal.close()
      // If the database is closed already, the entry expires by itself.
      await read()
        .then((last) => (last === own ? store.delete([key]) : undefined))
        .catch(() => undefined)
    })
  },
  { name: 'beside/shared-settings' },
)
