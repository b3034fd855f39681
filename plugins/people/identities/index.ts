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
    app.decorate('linkedIdentities', { ...createOwnIdentities(app), unlinkOf })
  },
  { name: 'people/identities' },
)
