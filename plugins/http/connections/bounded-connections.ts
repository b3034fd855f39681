import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './limits.js'

interface Connection {
  socket: Socket
  /** Undefined for trusted proxies. */
  address: string | undefined
  /** The answer to the latest request. */
  response?: ServerResponse
}

/** Whether a complete request is being processed. Sending a request or reading a response slowly does not count. */
const isProcessing = ({ response }: Connection): boolean =>
  response !== undefined && response.req.complete && !response.headersSent

/**
 * Limits the open connections per address and in all. At a limit, the oldest connection without a request in progress is
 * closed: one of the same address or, at the limit for all, one of the address with the most connections. So a client that
 * opens many connections loses its own. Connections of trusted proxies, which serve many clients, are counted but not
 * closed.
 */
export const createBoundedConnections = (limits: ConnectionLimits, onFull: () => void) => {
  const connections = new Map<Socket, Connection>()
  const byAddress = new Map<string, Set<Connection>>()

  const remove = (connection: Connection): void => {
    const { socket, address } = connection
    connections.delete(socket)
    const held = address === undefined ? undefined : byAddress.get(address)
    held?.delete(connection)
    if (address !== undefined && held?.size === 0) byAddress.delete(address)
  }

  const closeOldest = (held: Set<Connection>): boolean => {
    for (const connection of held) {
      if (isProcessing(connection)) continue
      remove(connection)
      connection.socket.destroy()
      return true
    }
    return false
  }

  const closeOldestOfBusiest = (): boolean => {
    let busiest = new Set<Connection>()
    for (const held of byAddress.values()) if (held.size > busiest.size) busiest = held
    return closeOldest(busiest) || [...byAddress.values()].some(closeOldest)
  }

  /** Closes connections at a limit. Returns whether a new connection of `address` is allowed. */
  const makeRoom = (address: string | undefined): boolean => {
    const held = address === undefined ? undefined : byAddress.get(address)
    if (held && held.size >= limits.perAddress && !closeOldest(held)) return false
    if (connections.size < limits.inAll) return true
    onFull()
    return closeOldestOfBusiest()
  }

  return {
    /** Accepts or closes a new connection. `address` is the key of the network address, undefined for a trusted proxy. */
    open(socket: Socket, address: string | undefined): void {
      if (!makeRoom(address)) {
        socket.destroy()
        return
      }
      const connection: Connection = { socket, address }
      connections.set(socket, connection)
      socket.once('close', () => remove(connection))
      if (address === undefined) return
      const held = byAddress.get(address)
      if (held) held.add(connection)
      else byAddress.set(address, new Set([connection]))
    },

    /** Records that a request has started to arrive. */
    begin(response: ServerResponse): void {
      const connection = connections.get(response.req.socket)
      if (connection) connection.response = response
    },

    /** Stops counting a connection that was upgraded and no longer uses HTTP. */
    release(socket: Socket): void {
      const connection = connections.get(socket)
      if (connection) remove(connection)
    },
  }
}
