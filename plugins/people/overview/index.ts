import fp from 'fastify-plugin'
import { createOverview } from './overview.js'

declare module 'fastify' {
  interface FastifyInstance {
    overview: ReturnType<typeof createOverview>
  }
}

export default fp(
  async (app) => {
    const { clock, db, management, userList } = app
    const { settings } = app.installation
    app.decorate('overview', createOverview({ db, clock, settings, userList, sessions: management.sessions }))
  },
  {
    name: 'people/overview',
    dependencies: ['people/list', 'people/manage', 'run/clock', 'run/config', 'run/database'],
  },
)
