import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { trustedProxies } from '../../../lib/trusted-proxies.js'
import { addressKey } from '../../../lib/address-key.js'
import { handleOneAtATime } from '../../../lib/one-at-a-time.js'
import { createBoundedConnections } from './bounded-connections.js'
import { serveFurtherAddresses } from './further-servers.js'
import { connectionLimits, descriptorLimit } from './limits.js'

/** The warning is logged at most once in this time. Milliseconds. */
const warningInterval = 60_000

/** Limits the open connections, in all and per network address, and handles the requests of each one after the other. */
export default fp(
  async (app) => {
    const { server, clock } = app
    const { connections: settings, trustProxy } = app.installation.settings
    const limits = connectionLimits(settings, settings.inAll === null ? descriptorLimit() : Infinity)
    const isProxy = trustedProxies(trustProxy)
    let lastWarning = -Infinity
    const bounded = createBoundedConnections(limits, () => {
      if (clock.now() - lastWarning < warningInterval) return
      lastWarning = clock.now()
      app.log.warn(`the limit of ${limits.inAll} open connections is reached: idle ones are closed for new ones`)
    })
    const release = handleOneAtATime(server)
    server.on('connection', (socket: Socket) => {
      const { remoteAddress = '' } = socket
      bounded.open(socket, isProxy(remoteAddress) ? undefined : addressKey(remoteAddress))
    })
    server.on('request', (_request: IncomingMessage, response: ServerResponse) => bounded.begin(response))
    const endFurther = serveFurtherAddresses(server)
    app.addHook('onClose', async () => endFurther())
    app.addHook('onListen', async () => {
      // A listener would keep Node.js from refusing upgrades, so it is added only if the host app handles upgrades.
      if (server.listenerCount('upgrade') === 0) return
      server.on('upgrade', ({ socket }: IncomingMessage) => {
        bounded.release(socket)
        release(socket)
      })
    })
  },
  { name: 'http/connections' },
)
