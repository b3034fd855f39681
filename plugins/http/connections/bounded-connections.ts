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

/** The service works on a request that has arrived as a whole. Who sends or reads slowly is not at work. */
const isAtWork = ({ response }: Connection): boolean =>
  response !== undefined && response.req.complete && !response.headersSent

/**
 * Bounds the open connections of an address and of all. At a limit the oldest connection that is not at work makes room: of
 * the same address, or of the address with the most, so that whoever opens many only takes from themselves. A trusted
 * proxy speaks for many people: its connections count among all, but none is closed.
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
      if (isAtWork(connection)) continue
      remove(connection)
      connection.socket.destroy()
      return true
    }
    return false
  }

  const closeOldestOfBusiest = (): boolean => {
    let most = new Set<Connection>()
    for (const held of byAddress.values()) if (held.size > most.size) most = held
    return closeOldest(most) || [...byAddress.values()].some(closeOldest)
  }

  /** Whether there is room for a connection of `address`, made where necessary. */
  const makeRoom = (address: string | undefined): boolean => {
    const held = address === undefined ? undefined : byAddress.get(address)
    if (held && held.size >= limits.perAddress && !closeOldest(held)) return false
    if (connections.size < limits.inAll) return true
    onFull()
    return closeOldestOfBusiest()
  }

  return {
    /** Admits a new connection or closes it. `address` is what is counted, undefined for a trusted proxy. */
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

    /** Notes that a request has begun to arrive. */
    begin(response: ServerResponse): void {
      const connection = connections.get(response.req.socket)
      if (connection) connection.response = response
    },

    /** Leaves a connection to others: it does not speak HTTP any more. */
    release(socket: Socket): void {
      const connection = connections.get(socket)
      if (connection) remove(connection)
    },
  }
}
