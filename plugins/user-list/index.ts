import fp from 'fastify-plugin'
import type { Loading } from '../config/installation.js'
import { createUserList } from './user-list.js'
import * as record from './record.js'

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList>
  }
}

export default fp<Loading>(
  async (app, { loadsAll }) => {
    const list = app.db.createUserList(record)
    const loaded = loadsAll ? list.start() : Promise.resolve()
    app.addHook('onReady', () => loaded)
    app.addHook('onClose', () => list.close())
    app.decorate('userList', createUserList(list, app.accounts.readPhone))
  },
  { name: 'user-list', dependencies: ['accounts', 'database'] },
)
