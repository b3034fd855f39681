import fp from 'fastify-plugin'
import { createDeliveries } from './deliveries.js'

declare module 'fastify' {
  interface FastifyInstance {
    deliveries: ReturnType<typeof createDeliveries>
  }
}

export default fp(
  async (app) => {
    const { clock, store } = app
    app.decorate('deliveries', createDeliveries({ store, clock }))
  },
  { name: 'record/deliveries', dependencies: ['run/clock', 'run/store'] },
)
