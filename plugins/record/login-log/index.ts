import fp from 'fastify-plugin'
import { createLoginLog, type LoginLog } from './login-log.js'
import { createLoginLogPages } from './pages.js'
import { createRefusals } from './refusals.js'

declare module 'fastify' {
  interface FastifyInstance {
    loginLog: LoginLog & ReturnType<typeof createLoginLogPages>
  }
}

export default fp(
  async (app) => {
    const { loginLog, users } = app.db
    const refusals = createRefusals(loginLog, app.store)
    app.decorate('loginLog', {
      ...createLoginLog(loginLog, refusals, users, app.clock, app.log),
      ...createLoginLogPages(loginLog, app.lists.read, app.timeZone),
    })
  },
  { name: 'record/login-log' },
)
