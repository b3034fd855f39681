import fp from 'fastify-plugin'
import { createSessions, type Sessions } from './sessions.js'

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions
  }
}

export default fp(
  async (app) => {
    const { db, tokens, clock, log } = app
    app.decorate('sessions', createSessions({ db, tokens, clock, log, clients: app.installation.settings.clients }))
  },
  { name: 'sessions', dependencies: ['clock', 'config', 'database', 'tokens'] },
)
