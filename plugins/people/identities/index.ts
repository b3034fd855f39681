import fp from 'fastify-plugin'
import { unlinkOf } from './audit-events.js'
import { createOwnIdentities } from './own-identities.js'

declare module 'fastify' {
  interface FastifyInstance {
    linkedIdentities: ReturnType<typeof createOwnIdentities> & { unlinkOf: typeof unlinkOf }
  }
}

/** Users list, add and remove their own linked identities. */
export default fp(
  async (app) => {
    const { accounts, audit, clock, db, federation, login, notices } = app
    const { provePasswordOrFactor } = accounts
    const { signInCheckFor } = login.ofTenant
    app.decorate('linkedIdentities', {
      ...createOwnIdentities({ audit, db, clock, federation, provePasswordOrFactor, signInCheckFor, notices }),
      unlinkOf,
    })
  },
  { name: 'people/identities' },
)
