import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { trustedProxies } from '../../../lib/trusted-proxies.js'
import { addressKey } from '../../../lib/address-key.js'
import { createBoundedConnections } from './bounded-connections.js'
import { connectionLimits, descriptorLimit } from './limits.js'

/** Milliseconds between two log lines that say that all connections are taken. */
const tellEvery = 60_000

/** Bounds the connections that are open at once, in all and for an address. */
export default fp(
  async (app) => {
    const { server, clock } = app
    const { connections: settings, trustProxy } = app.installation.settings
    const limits = connectionLimits(settings, settings.inAll === null ? descriptorLimit() : Infinity)
    const isProxy = trustedProxies(trustProxy)
    let told = -Infinity
    const bounded = createBoundedConnections(limits, () => {
      if (clock.now() - told < tellEvery) return
      told = clock.now()
      app.log.warn(`all ${limits.inAll} connections are taken: idle ones are closed to make room for new ones`)
    })
    server.on('connection', (socket: Socket) => {
      const { remoteAddress = '' } = socket
      bounded.open(socket, isProxy(remoteAddress) ? undefined : addressKey(remoteAddress))
    })
    server.on('request', (_request: IncomingMessage, response: ServerResponse) => bounded.begin(response))
    app.addHook('onListen', async () => {
      // Only where the host app upgrades connections: Node refuses upgrades by itself while nobody listens.
      if (server.listenerCount('upgrade') === 0) return
      server.on('upgrade', (request: IncomingMessage) => bounded.release(request.socket))
    })
  },
  { name: 'connections', dependencies: ['clock', 'config'] },
)
