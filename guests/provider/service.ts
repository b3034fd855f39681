import fp from 'fastify-plugin'
import { createClients, type Clients } from './clients/clients.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Applications that sign people in here. */
    applications: Clients
  }
}

export default fp(
  async (app) => {
    const { audit, clock, db } = app
    app.decorate('applications', createClients({ audit, clock, db }))
  },
  { name: 'provider/service' },
)
