import fp from 'fastify-plugin'
import { createIdentityAdministration, type IdentityAdministration } from './administration.js'
import { createOwnIdentities } from './own-identities.js'

declare module 'fastify' {
  interface FastifyInstance {
    linkedIdentities: ReturnType<typeof createOwnIdentities> & IdentityAdministration
  }
}

/** Users and operators list, add and remove the linked identities of accounts. */
export default fp(
  async (app) => {
    const { accounts, audit, clock, db, federation, login, notices } = app
    const { reauthenticate, findUser } = accounts
    const { signInCheckFor } = login.ofTenant
    app.decorate('linkedIdentities', {
      ...createOwnIdentities({ audit, db, clock, federation, reauthenticate, signInCheckFor, notices }),
      ...createIdentityAdministration({ audit, db, clock, findUser }),
    })
  },
  {
    name: 'linked-identities',
    dependencies: ['accounts', 'audit', 'clock', 'database', 'federation', 'login', 'notices'],
  },
)
