import fp from 'fastify-plugin'
import { createLoginLog, type LoginLog } from './login-log.js'

declare module 'fastify' {
  interface FastifyInstance {
    loginLog: LoginLog
  }
}

export default fp(
  async (app) => {
    app.decorate('loginLog', createLoginLog(app.db.loginLog, app.db.users, app.clock, app.log))
  },
  { name: 'login-log', dependencies: ['clock', 'database'] },
)
