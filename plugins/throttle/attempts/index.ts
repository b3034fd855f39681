import fp from 'fastify-plugin'
import { createAttempts, type Attempts } from './attempts.js'

declare module 'fastify' {
  interface FastifyInstance {
    attempts: Attempts
  }
}

export default fp(
  async (app) => {
    const { lockout, rateLimits } = app.installation.settings
    app.decorate('attempts', createAttempts(app.store, app.clock, { lockout, countAddresses: rateLimits.enabled }))
  },
  { name: 'throttle/attempts' },
)
