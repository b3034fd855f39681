import fp from 'fastify-plugin'
import { createListLimits } from './list-limits.js'
import { createReadList, type ReadList } from './read-list.js'

declare module 'fastify' {
  interface FastifyInstance {
    lists: Pick<ReturnType<typeof createListLimits>, 'beginWaiting'> & { read: ReadList }
  }
}

/** A web page with several tables, or several open web pages, wait for a few lists at once. */
const waitingPerUser = 6
/** Milliseconds that a request waits for a list. */
const maxWait = 15_000

export default fp(
  async (app) => {
    const { enabled, list: listsPerMinute } = app.installation.settings.rateLimits
    const perUser = enabled
      ? { listsPerMinute, waitingPerUser }
      : { listsPerMinute: Infinity, waitingPerUser: Infinity }
    const limits = createListLimits({ ...perUser, maxWait }, app.clock)
    app.decorate('lists', { beginWaiting: limits.beginWaiting, read: createReadList(app.db.readList, limits) })
  },
  { name: 'run/lists', dependencies: ['run/clock', 'run/config', 'run/database'] },
)
