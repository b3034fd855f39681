import fp from 'fastify-plugin'
import { createIdentityAdministration, type IdentityAdministration } from './administration.js'
import { unlinkOf } from './audit-events.js'
import { createOwnIdentities } from './own-identities.js'

declare module 'fastify' {
  interface FastifyInstance {
    linkedIdentities: ReturnType<typeof createOwnIdentities> & IdentityAdministration & { unlinkOf: typeof unlinkOf }
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
      unlinkOf,
    })
  },
  {
    name: 'people/identities',
    dependencies: [
      'identity/federation',
      'identity/login',
      'people/write',
      'record/audit',
      'record/notices',
      'run/clock',
      'run/database',
    ],
  },
)
