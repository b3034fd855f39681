import fp from 'fastify-plugin'
import { createSessions, type Sessions } from './sessions.js'

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions
  }
}

export default fp(
  async (app) => {
    const { audit, db, encryption, tokens, clock, log } = app
    const { clients, accessTokens: claims } = app.installation.settings
    app.decorate('sessions', createSessions({ audit, db, encryption, tokens, clock, log, clients, claims }))
  },
  {
    name: 'sessions/sessions',
    dependencies: ['record/audit', 'run/clock', 'run/config', 'run/database', 'sessions/encryption', 'sessions/tokens'],
  },
)
