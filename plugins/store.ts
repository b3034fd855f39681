import fp from 'fastify-plugin'
import type { Store } from '../db/repositories/store.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Short-lived state shared by all processes. */
    store: Store
  }
}

export default fp(
  async (app) => {
    app.decorate(
      'store',
      app.db.createStore(() => app.clock.now()),
    )
  },
  { name: 'store', dependencies: ['clock', 'database'] },
)
