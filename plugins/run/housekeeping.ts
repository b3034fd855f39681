import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Milliseconds between two rounds. */
const interval = 60_000
/** Rows deleted in one transaction, few enough that no request waits long. */
const batchSize = 500
const day = 24 * 3600 * 1000

/** Deletes expired rows in small batches. */
const createHousekeeping = (
  trustedTime: FastifyInstance['trustedTime'],
  purges: ((time: number, limit: number) => Promise<number>)[],
) => ({
  /** Runs one round. Resolves to the number of deleted rows; deletes nothing while the clock is not trusted. */
  async run(): Promise<number> {
    let deleted = 0
    // Read once, because the clock may jump during a round.
    const time = await trustedTime.now()
    if (time === undefined) return 0
    for (const purge of purges) {
      for (let count = batchSize; count === batchSize; deleted += count) {
        count = await purge(time, batchSize)
        await setImmediate()
      }
    }
    return deleted
  },
})

declare module 'fastify' {
  interface FastifyInstance {
    housekeeping: ReturnType<typeof createHousekeeping>
  }
}

/** Runs in servers only, because commands end within seconds. */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    if (!answering) return
    const { accounts, databaseStore, db, tokens, trustedTime } = app
    const { loginLog, audit } = app.installation.settings
    const housekeeping = createHousekeeping(trustedTime, [
      (time, limit) => databaseStore.purge(time, limit),
      (time, limit) => db.sessions.purge(time, limit),
      (time, limit) => db.loginLog.purge(time - loginLog.keepDays * day, limit),
      (time, limit) => db.auditTrail.purge(time - audit.keepDays * day, limit),
      (time, limit) => db.trustedDevices.purge(time, limit),
      (time, limit) => db.purgeChanges(time, limit),
      (time, limit) => accounts.removeEndedImports(time, limit),
      (time) => tokens.rotation.tidy(time),
    ])
    // Starts the comparison of the clock with the monotonic clock.
    await trustedTime.now()
    app.decorate('housekeeping', housekeeping)
    let running: Promise<unknown> = Promise.resolve()
    const timer = setInterval(() => {
      running = housekeeping.run().catch((error: unknown) => app.log.error({ err: error }, 'housekeeping failed'))
    }, interval)
    timer.unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await running
    })
  },
  {
    name: 'run/housekeeping',
    dependencies: ['people/write', 'run/config', 'run/database', 'run/store', 'run/trusted-time', 'sessions/tokens'],
  },
)
