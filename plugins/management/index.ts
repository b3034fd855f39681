import fp from 'fastify-plugin'
import { createManagement, type Management } from './management.js'

declare module 'fastify' {
  interface FastifyInstance {
    management: Management
  }
}

export default fp(
  async (app) => {
    const { accounts, attempts, audit, clock, db, passwords, userList } = app
    const { describe } = userList
    const { signInCheckFor } = app.linkedIdentities
    app.decorate(
      'management',
      createManagement({
        accounts,
        attempts,
        audit,
        clock,
        db,
        passwords,
        describe,
        signInCheckFor,
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
      'one-time-codes',
      'passwords',
      'user-list',
    ],
  },
)
