import fp from 'fastify-plugin'
import { bearerToken } from '../../sessions/sessions/bearer.js'
import { createDevices, type Devices } from './device-cookie.js'

declare module 'fastify' {
  interface FastifyInstance {
    devices: Devices
  }
}

/**
 * Recognises known devices by the device cookie or by the token of an earlier session. Clients that send neither can sign
 * in too.
 */
export default fp(
  async (app) => {
    app.decorate('devices', createDevices(app, bearerToken))
  },
  { name: 'identity/devices' },
)
