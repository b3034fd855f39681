import fp from 'fastify-plugin'
import { machineClock, type Clock } from '../../lib/clock.js'

declare module 'fastify' {
  interface FastifyInstance {
    clock: Clock
  }
}

export default fp<{ clock?: Clock }>(
  async (app, { clock = machineClock }) => {
    app.decorate('clock', clock)
  },
  { name: 'run/clock' },
)
