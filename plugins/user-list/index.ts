import fp from 'fastify-plugin'
import { createListLimits } from './list-limits.js'
import { createUserList } from './user-list.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

/** A web page with several tables, or several open web pages, wait for a few lists at once. */
const waitingPerUser = 6
/** Milliseconds that a request waits for a list. */
const maxWait = 15_000

export default fp(
  async (app) => {
    const { enabled, list: listsPerMinute } = app.installation.settings.rateLimits
    const list = app.db.createUserList()
    const perUser = enabled
      ? { listsPerMinute, waitingPerUser }
      : { listsPerMinute: Infinity, waitingPerUser: Infinity }
    const beginWaiting = createListLimits({ ...perUser, maxWait }, app.clock)
    app.addHook('onClose', () => list.close())
    app.decorate('userList', createUserList(list, beginWaiting, app.accounts.readPhone))
  },
  { name: 'user-list', dependencies: ['accounts', 'clock', 'config', 'database'] },
)
