import fp from 'fastify-plugin'
import { createListLimits, waits } from './list-limits.js'
import { createReadList, type ReadList } from './read-list.js'

declare module 'fastify' {
  interface FastifyInstance {
    lists: Pick<ReturnType<typeof createListLimits>, 'beginWaiting'> & { read: ReadList }
  }
}

export default fp(
  async (app) => {
    const { enabled, list: listsPerMinute } = app.installation.settings.rateLimits
    const perUser = enabled ? { listsPerMinute } : { listsPerMinute: Infinity, waitingPerUser: Infinity }
    const limits = createListLimits({ ...waits, ...perUser }, app.clock)
    app.decorate('lists', { beginWaiting: limits.beginWaiting, read: createReadList(app.db.readList, limits) })
  },
  { name: 'run/lists' },
)
