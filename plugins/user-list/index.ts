import fp from 'fastify-plugin'
import { createUserList } from './user-list.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

export default fp(
  async (app) => {
    app.decorate('userList', createUserList(app.db.userList, app.accounts.readPhone))
  },
  { name: 'user-list', dependencies: ['accounts', 'database'] },
)
