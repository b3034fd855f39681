import fp from 'fastify-plugin'
import { covers } from '../../lib/permissions.js'
import { createUserList } from './user-list.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

const coversContacts = covers('system:user:contact')

/** A person waits for one list; a page with several tables, or several open pages, for a few. */
const waitingPerUser = 5

export default fp(
  async (app) => {
    const { enabled, list: listsPerMinute } = app.installation.settings.rateLimits
    const list = app.db.createUserList(() => app.clock.now(), enabled ? { listsPerMinute, waitingPerUser } : {})
    app.addHook('onClose', () => list.close())
    app.decorate(
      'userList',
      createUserList(list, app.accounts.readPhone, (caller) => app.sessions.permissions(caller).some(coversContacts)),
    )
  },
  { name: 'user-list', dependencies: ['accounts', 'clock', 'config', 'database', 'sessions'] },
)
