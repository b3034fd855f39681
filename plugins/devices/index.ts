import fp from 'fastify-plugin'
import { bearerToken } from '../sessions/bearer.js'
import { createDevices } from './device-cookie.js'

declare module 'fastify' {
  interface FastifyInstance {
    devices: ReturnType<typeof createDevices>
  }
}

/**
 * Knows the devices on which people have signed in before, by a cookie or by the token of an earlier session. Clients
 * without cookies, or without either, are served as ever.
 */
export default fp(
  async (app) => {
    const { clock, db, tokens } = app
    app.decorate('devices', createDevices({ users: db.users, tokens, clock, bearerToken }))
  },
  { name: 'devices', dependencies: ['clock', 'database', 'tokens'] },
)
