import fp from 'fastify-plugin'
import { createManagement, type Management } from './management.js'

declare module 'fastify' {
  interface FastifyInstance {
    management: Management
  }
}

export default fp(
  async (app) => {
    const { accounts, attempts, audit, clock, db, linkedIdentities, passwords, store, userList } = app
    const { describe } = userList
    app.decorate(
      'management',
      createManagement({
        accounts,
        attempts,
        audit,
        clock,
        db,
        passwords,
        store,
        describe,
        readList: app.lists.read,
        signInCheckFor: app.login.ofTenant.signInCheckFor,
        linkedIdentities,
        tenantMethods: app.login.ofTenant,
        invitations: app.oneTimeCodes,
      }),
    )
  },
  {
    name: 'management',
    dependencies: [
      'accounts',
      'attempts',
      'audit',
      'clock',
      'database',
      'linked-identities',
      'lists',
      'login',
      'one-time-codes',
      'passwords',
      'store',
      'user-list',
    ],
  },
)
