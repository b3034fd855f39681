import fp from 'fastify-plugin'
import { createIdentityAdministration, type IdentityAdministration } from './administration.js'
import { createOwnIdentities } from './own-identities.js'
import { createSignInCheck } from './sign-in-check.js'

declare module 'fastify' {
  interface FastifyInstance {
    linkedIdentities: ReturnType<typeof createOwnIdentities> &
      IdentityAdministration & {
        signInCheckFor: ReturnType<typeof createSignInCheck>
      }
  }
}

/** Users and operators list, add and remove the linked identities of accounts. */
export default fp(
  async (app) => {
    const { accounts, audit, clock, db, federation, login, notices, passwords } = app
    const { reauthenticate, findUser } = accounts
    const { authTypes } = login.ofTenant
    const { canSignIn } = federation
    const signInCheckFor = createSignInCheck({ authTypes, canSignIn, isOverdue: passwords.isOverdue })
    app.decorate('linkedIdentities', {
      ...createOwnIdentities({ audit, db, clock, federation, reauthenticate, signInCheckFor, notices }),
      ...createIdentityAdministration({ audit, db, clock, findUser }),
      signInCheckFor,
    })
  },
  {
    name: 'linked-identities',
    dependencies: ['accounts', 'audit', 'clock', 'database', 'federation', 'login', 'notices', 'passwords'],
  },
)
