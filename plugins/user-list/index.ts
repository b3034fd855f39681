import fp from 'fastify-plugin'
import { createUserList } from './user-list.js'
import * as record from './record.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

export default fp(
  async (app) => {
    const list = app.db.createUserList(record)
    app.addHook('onClose', () => list.close())
    app.decorate('userList', createUserList(list, app.accounts.readPhone))
  },
  { name: 'user-list', dependencies: ['accounts', 'database'] },
)
