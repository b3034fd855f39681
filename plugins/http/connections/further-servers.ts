import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Node.js tells here of each server that is about to listen. */
const channel = 'tracing:net.server.listen:asyncStart'

/**
 * Lets `server` serve the connections of all addresses of `localhost`. Fastify listens on the first one with `server`, and on
 * each further one, such as ::1, with a server of its own, for which no limits and no listeners of plugins would hold. The
 * returned function ends this.
 */
export const serveFurtherAddresses = (server: Server): (() => void) => {
  const [handle] = server.listeners('request')
  const onListening = (message: unknown): void => {
    const { server: further, options } = message as { server: Server; options: { port?: number } }
    const { port } = (server.address() ?? {}) as Partial<AddressInfo>
    // A host app may serve its routes with another server of its own, on another port.
    if (further === server || port === undefined || options.port !== port) return
    if (!handle || !further.listeners('request').includes(handle)) return
    further.removeAllListeners('connection')
    further.on('connection', (socket: Socket) => {
      // Node.js reports faults of a connection to this server.
      Object.assign(socket, { server })
      server.emit('connection', socket)
    })
  }
  subscribe(channel, onListening)
  return () => void unsubscribe(channel, onListening)
}
