import { setImmediate } from 'node:timers/promises'
import fp from 'fastify-plugin'

/** Milliseconds between two rounds. */
const pause = 60_000
/** Rows deleted at once: short enough that no request waits for it. */
const batch = 500
const day = 24 * 3600 * 1000

/** Deletes what has expired, in small batches, so that nothing grows without bound. */
const createHousekeeping = (purges: ((limit: number) => Promise<number>)[]) => ({
  /** Runs one round; resolves to the number of rows deleted. */
  async run(): Promise<number> {
    let deleted = 0
    for (const purge of purges) {
      for (let count = batch; count === batch; deleted += count) {
        count = await purge(batch)
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

export default fp(
  async (app) => {
    const { clock, db, store } = app
    const { loginLog } = app.installation.settings
    const housekeeping = createHousekeeping([
      (limit) => store.purge(limit),
      (limit) => db.sessions.purge(clock.now(), limit),
      (limit) => db.loginLog.purge(clock.now() - loginLog.keepDays * day, limit),
    ])
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
  { name: 'housekeeping', dependencies: ['clock', 'config', 'database', 'store'] },
)
