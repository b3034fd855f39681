import fp from 'fastify-plugin'
import { createDownloadTickets, type DownloadTickets } from './download-tickets.js'
import { createSessions, type Sessions } from './sessions.js'

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions
    downloadTickets: DownloadTickets
  }
}

export default fp(
  async (app) => {
    const { audit, db, encryption, store, tokens, clock, log } = app
    const { clients, accessTokens: claims } = app.installation.settings
    app.decorate('sessions', createSessions({ audit, db, encryption, tokens, clock, log, clients, claims }))
    app.decorate('downloadTickets', createDownloadTickets(store, db.sessions, clock))
  },
  { name: 'sessions/sessions' },
)
