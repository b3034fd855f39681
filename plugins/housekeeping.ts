import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Milliseconds between two rounds. */
const pause = 60_000
/** Rows deleted at once: short enough that no request waits for it. */
const batch = 500
const day = 24 * 3600 * 1000

/** Deletes what has expired, in small batches, so that nothing grows without bound. */
const createHousekeeping = (
  trustedTime: FastifyInstance['trustedTime'],
  purges: ((time: number, limit: number) => Promise<number>)[],
) => ({
  /** Runs one round; resolves to the number of rows deleted, none while the clock is not believed. */
  async run(): Promise<number> {
    let deleted = 0
    // The same for the whole round: the clock may jump meanwhile.
    const time = await trustedTime.now()
    if (time === undefined) return 0
    for (const purge of purges) {
      for (let count = batch; count === batch; deleted += count) {
        count = await purge(time, batch)
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

/** In servers only: a command lives for seconds. */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    if (!answering) return
    const { accounts, db, store, trustedTime } = app
    const { loginLog } = app.installation.settings
    const housekeeping = createHousekeeping(trustedTime, [
      (time, limit) => store.purge(time, limit),
      (time, limit) => db.sessions.purge(time, limit),
      (time, limit) => db.loginLog.purge(time - loginLog.keepDays * day, limit),
      (time, limit) => accounts.removeEndedImports(time, limit),
    ])
    // From now on the clock is compared with the monotonic one.
    await trustedTime.now()
    app.decorate('housekeeping', housekeeping)
    let running: Promise<unknown> = Promise.resolve()
    const timer = setInterval(() => {
      running = housekeeping.run().catch((error: unknown) => app.log.error({ err: error }, 'housekeeping failed'))
    }, pause)
    timer.unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await running
    })
  },
  { name: 'housekeeping', dependencies: ['accounts', 'config', 'database', 'store', 'tokens', 'trusted-time'] },
)
