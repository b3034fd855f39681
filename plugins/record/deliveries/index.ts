import fp from 'fastify-plugin'
import { createDeliveries } from './deliveries.js'

declare module 'fastify' {
  interface FastifyInstance {
    deliveries: ReturnType<typeof createDeliveries>
  }
}

export default fp(
  async (app) => {
    // In the database: the first page of the console works without Redis.
    const { clock, databaseStore: store } = app
    app.decorate('deliveries', createDeliveries({ store, clock }))
  },
  { name: 'record/deliveries' },
)
