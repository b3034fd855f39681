import fp from 'fastify-plugin'
import { createUserList } from './user-list.js'
import { renderRecord } from './record.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

export default fp(
  async (app) => {
    const list = app.db.createUserList(renderRecord)
    app.addHook('onClose', () => list.close())
    app.decorate('userList', createUserList(list, app.accounts.readPhone))
  },
  { name: 'user-list', dependencies: ['accounts', 'database'] },
)
