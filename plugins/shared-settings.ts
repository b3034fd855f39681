import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { jsonReader } from '../lib/json-reader.js'
import type { Settings } from '../schemas/settings.js'

const key = 'settings-in-use'
/** A server renews the entry each minute; one that was killed is forgotten after this. Milliseconds. */
const ttl = 150_000
const renewal = 60_000

/** Settings that only work when all servers on a database have the same ones. */
const sharedBy = ({ issuer, audience, clients, passwords }: Settings) => {
  const { memoryKiB, passes } = passwords
  return { issuer, audience, clients, 'passwords.memoryKiB': memoryKiB, 'passwords.passes': passes }
}

type Shared = ReturnType<typeof sharedBy>

const readKept = jsonReader(Type.Object({ shared: Type.Record(Type.String(), Type.Unknown()) }))

/** The names of settings whose values differ. */
const differences = (one: Partial<Record<keyof Shared, unknown>>, other: Shared): string[] =>
  (Object.keys(other) as (keyof Shared)[]).filter((name) => !isDeepStrictEqual(one[name], other[name]))

/**
 * Logs once, at the start, that another server on the same database has other values of settings that all of them must
 * share. The first server keeps its values in the store while it runs; a later one compares, and takes over when it ends.
 * Commands do not.
 */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    if (!answering) return
    const { store } = app
    const shared = sharedBy(app.installation.settings)
    const own = JSON.stringify({ id: randomUUID(), shared })

    const read = async (): Promise<string | undefined> => store.get(key)
    const keep = async () => {
      const kept = await read()
      if (kept === undefined || kept === own) await store.set(key, own, ttl)
      return kept
    }

    const kept = await keep()
    if (kept !== undefined) {
      const names = differences(readKept(kept)?.shared ?? {}, shared)
      if (names.length > 0) {
        app.log.warn(
          { settings: names },
          `Another server on this database has other values of ${names.join(', ')}, or had them until less than ` +
            `${ttl / 1000} seconds ago. Give all servers of a database the same: otherwise one refuses the tokens of ` +
            'another, and sessions and passwords follow the settings of whichever server answers.',
        )
      }
    }

    let renewing: Promise<unknown> = Promise.resolve()
    const timer = setInterval(() => {
      renewing = keep().catch((error: unknown) => app.log.error({ err: error }, 'settings in use not renewed'))
    }, renewal)
    timer.unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await renewing
      // A database that is gone ends with the server; the entry then expires.
      await read()
        .then((last) => (last === own ? store.delete([key]) : undefined))
        .catch(() => undefined)
    })
  },
  { name: 'shared-settings', dependencies: ['config', 'first-start', 'store', 'tokens'] },
)
