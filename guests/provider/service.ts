import fp from 'fastify-plugin'
import { createClients, type Clients } from './clients/clients.js'
import { createGrants, type Grants } from './grants/grants.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Applications that sign people in here. */
    applications: Clients & { grants: Grants }
  }
}

export default fp(
  async (app) => {
    const { audit, clock, db } = app
    const grants = createGrants({ audit, clock, db })
    app.decorate('applications', { ...createClients({ audit, clock, db }), grants })
  },
  { name: 'provider/service' },
)
