import fp from 'fastify-plugin'
import { createIdentityAdministration } from './administration.js'
import { createOwnIdentities } from './own-identities.js'
import { createWaysIn } from './ways-in.js'

declare module 'fastify' {
  interface FastifyInstance {
    linkedIdentities: ReturnType<typeof createOwnIdentities> & ReturnType<typeof createIdentityAdministration>
  }
}

/** The identities elsewhere that are linked to accounts here: what people and operators do with them. */
export default fp(
  async (app) => {
    const { accounts, clock, db, federation, login, notices, passwords } = app
    const { reauthenticate, findUser } = accounts
    const { authTypes } = login.ofTenant
    const { canSignIn } = federation
    const waysIn = createWaysIn({ authTypes, canSignIn, isOverdue: passwords.isOverdue })
    app.decorate('linkedIdentities', {
      ...createOwnIdentities({ db, clock, federation, reauthenticate, waysIn, notices }),
      ...createIdentityAdministration({ db, clock, findUser }),
    })
  },
  {
    name: 'linked-identities',
    dependencies: ['accounts', 'clock', 'database', 'federation', 'login', 'notices', 'passwords'],
  },
)
