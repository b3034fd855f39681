import fp from 'fastify-plugin'
import { createClaims } from './claims.js'
import { createClients, type Clients } from './clients/clients.js'
import { createManagedClients, type ManagedClients } from './clients/managed.js'
import { createGrants, type Grants } from './grants/grants.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Applications that sign people in here. */
    applications: Clients & { grants: Grants; managed: ManagedClients }
  }
}

export default fp(
  async (app) => {
    const { audit, clock, db } = app
    const { resources } = app.installation.settings.provider
    const clients = createClients({ audit, clock, db, resources })
    const findClaims = createClaims({ contacts: db.verifiedContacts })
    app.decorate('applications', {
      ...clients,
      managed: createManagedClients({ db, clock, clients, findClaims }),
      grants: createGrants({ audit, clock, db }),
    })
  },
  { name: 'provider/service' },
)
