import { setImmediate } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { maxQuiet, type Clock } from '../../lib/clock.js'
import { repeat } from '../../lib/repeat.js'
import { toTime } from '../../lib/time-text.js'

/** Milliseconds between two rounds. */
const interval = 60_000
/** Rows deleted in one transaction, few enough that no request waits long. */
const batchSize = 500
const hour = 3600 * 1000
const day = 24 * hour

/**
 * Returns a function that reads the clock; undefined for an hour after it has moved by more than a day since the last call, so
 * that somebody can set a wrong clock before everything seems old. `last` is the time to compare the first one with. `onMove` is
 * called once per move, but for one that a machine makes which was off for some days.
 */
const createClockReader = (clock: Clock, last: number | undefined, onMove: (now: number, last: number) => void) => {
  let believedFrom = -Infinity
  return (): number | undefined => {
    const now = clock.now()
    if (last !== undefined && Math.abs(now - last) > day) {
      believedFrom = now + hour
      if (now < last || now - last > maxQuiet) onMove(now, last)
    }
    last = now
    return now < believedFrom ? undefined : now
  }
}

/** Deletes expired rows in small batches, after it has counted kinds of hash. */
const createHousekeeping = (
  readClock: () => number | undefined,
  countHashes: () => Promise<void>,
  purges: ((time: number, limit: number) => Promise<number>)[],
) => ({
  /** Runs one round. Resolves to the number of deleted rows; deletes nothing while the clock is not believed. */
  async run(): Promise<number> {
    let deleted = 0
    // Commands and other servers add hashes, and sign-ins replace them.
    await countHashes()
    // Read once, because the clock may jump during a round.
    const time = readClock()
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
    const { accounts, clock, db, dummyHashes, tokens } = app
    const { loginLog, audit } = app.installation.settings
    const days = { loginLog: loginLog.keepDays, audit: audit.keepDays }
    // Rows of the last hour may have been written with a clock that is wrong since then, and later ones with one that was.
    const newest = await db.loginLog.newest(clock.now() - hour)
    const readClock = createClockReader(clock, newest, (now, last) =>
      app.log.warn(
        `The clock says ${toTime(now)}, the last known time is ${toTime(last)}. Nothing old is deleted for an hour: ` +
          'if the clock is wrong, set it.',
      ),
    )
    // Says so at the start.
    readClock()
    const housekeeping = createHousekeeping(readClock, () => dummyHashes.count(), [
      ...db.expiring.map(
        ({ purge }) =>
          (time: number, limit: number) =>
            purge(time, limit, days),
      ),
      (time, limit) => db.userBans.purge(time, limit),
      (time, limit) => db.purgeChanges(time, limit),
      (time, limit) => accounts.removeEndedImports(time, limit),
      (time) => tokens.rotation.tidy(time),
    ])
    app.decorate('housekeeping', housekeeping)
    const { close } = repeat(() => housekeeping.run(), {
      pause: interval,
      failed: (error) => app.log.error({ err: error }, 'housekeeping failed'),
    })
    app.addHook('onClose', close)
  },
  { name: 'beside/housekeeping' },
)
