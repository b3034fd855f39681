import fp from 'fastify-plugin'
import { createUserList } from './user-list.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

export default fp(
  async (app) => {
    const list = app.db.openUserList()
    app.addHook('onClose', () => list.close())
    const { readPhone } = app.contacts
    app.decorate(
      'userList',
      createUserList(list, app.lists.beginWaiting, { readPhone, timeZone: app.timeZone }, app.clock),
    )
  },
  {
    name: 'people/list',
    dependencies: ['identity/contacts', 'run/clock', 'run/database', 'run/lists', 'run/time-zone'],
  },
)
