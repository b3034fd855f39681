import fp from 'fastify-plugin'
import { createManagement, type Management } from './management.js'

declare module 'fastify' {
  interface FastifyInstance {
    management: Management
  }
}

export default fp(
  async (app) => {
    const { accounts, attempts, audit, clock, db, linkedIdentities, notices, ownFactors, passwords } = app
    const { secondFactor, store, userList } = app
    const { describe } = userList
    app.decorate(
      'management',
      createManagement({
        accounts,
        attempts,
        audit,
        clock,
        db,
        notices,
        ownFactors,
        passwords,
        store,
        describe,
        readList: app.lists.read,
        signInCheckFor: app.login.ofTenant.signInCheckFor,
        factorPolicy: secondFactor.policy,
        secondFactor,
        linkedIdentities,
        tenantMethods: app.login.ofTenant,
        invitations: app.oneTimeCodes,
      }),
    )
  },
  { name: 'people/manage' },
)
