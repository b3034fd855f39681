import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of further requests that wait for the answer to the one before; with more, the connection is closed. */
const maxWaiting = 64 * 1024

/** Line breaks before a request; with more, the connection is closed. One is usual (RFC 9112 2.2). */
const maxBreaks = 1024

/** Parts that are read before the next turn of the event loop: a body in chunks can consist of blank lines. */
const partsInTurn = 500

/** The blank line that ends the head of a request, with the end of the line before. */
const endOfHead = '\n\r\n'
const empty = Buffer.alloc(0)

interface Connection {
  socket: Socket
  /** The listener with which Node.js reads requests. */
  read: (bytes: Buffer) => void
  /** The answer to the latest request. */
  response?: ServerResponse
  /** Bytes of the body of this request that are still to come; NaN where it does not say how many. */
  bodyLeft: number
  /** The last bytes of a head that has not ended yet. */
  tail: Buffer
  /** What arrived and has not been read. */
  waiting: Buffer
}

const connections = new WeakMap<Socket, Connection>()

const isAnswering = ({ response }: Connection): boolean =>
  response !== undefined && response.req.complete && !response.writableFinished && !response.destroyed

const isInBody = ({ response }: Connection): boolean => response?.req.complete === false

/** The request of which a part of the body is still to come, if there is one. */
export const requestInBody = (socket: Socket): IncomingMessage | undefined => {
  const connection = connections.get(socket)
  return connection && isInBody(connection) ? connection.response?.req : undefined
}

/** Whether a fault of a request can be answered: not in the middle of another answer, and not if it has its answer. */
export const canAnswer = (socket: Socket): boolean => {
  const connection = connections.get(socket)
  const response = connection?.response
  if (!connection || !response) return socket.bytesWritten === 0
  return !response.headersSent || (response.writableFinished && !isInBody(connection))
}

/** The number of line breaks at the beginning, or one more than the most: blank lines before a head are not its end. */
const countOfBreaks = (bytes: Buffer): number => {
  let count = 0
  while (count <= maxBreaks && (bytes[count] === 10 || bytes[count] === 13)) count++
  return count
}

/** How many of the waiting bytes to read now: not more than one request begins in them. */
const countOfOne = (connection: Connection): number => {
  const { bodyLeft, tail, waiting } = connection
  if (isInBody(connection) && bodyLeft > 0) return Math.min(waiting.length, bodyLeft)
  const end =
    tail.length > 0
      ? Buffer.concat([tail, waiting]).indexOf(endOfHead) - tail.length
      : waiting.indexOf(endOfHead, countOfBreaks(waiting))
  return end < -tail.length ? waiting.length : end + endOfHead.length
}

const lengthOf = ({ headers, complete }: IncomingMessage): number => (complete ? 0 : Number(headers['content-length']))

/** Reads the waiting bytes up to the end of the next request. */
const readNext = (connection: Connection): void => {
  const { socket } = connection
  for (let parts = 0; connection.waiting.length > 0 && !isAnswering(connection); parts++) {
    if (parts === partsInTurn) {
      socket.pause()
      setImmediate(() => readNext(connection))
      return
    }
    const { response, waiting } = connection
    if (!isInBody(connection) && countOfBreaks(waiting) > maxBreaks) {
      socket.destroy()
      return
    }
    const count = countOfOne(connection)
    const bytes = waiting.subarray(0, count)
    connection.waiting = waiting.subarray(count)
    connection.read.call(socket, bytes)
    const isNew = connection.response !== response
    if (isNew && connection.response) connection.bodyLeft = lengthOf(connection.response.req)
    else connection.bodyLeft -= count
    const isHead = !isNew && !isInBody(connection) && (connection.tail.length > 0 || countOfBreaks(bytes) < count)
    connection.tail = isHead ? Buffer.concat([connection.tail, bytes]).subarray(-2) : empty
    // After `Connection: close`, and after bytes that are not HTTP.
    if (socket.destroyed || socket.writableEnded) connection.waiting = empty
  }
  if (socket.isPaused()) socket.resume()
  if (connection.waiting.length > maxWaiting) socket.destroy()
  // Not at once: in the next turn of the event loop, after the other connections.
  else if (connection.waiting.length > 0) connection.response?.once('close', () => setImmediate(readNext, connection))
}

/**
 * Lets a server handle the requests of a connection one after the other. Node.js would read all requests that one packet
 * brings, which can be thousands, before the first is answered (pipelining, RFC 9112 9.3.2). Here it gets the bytes of one,
 * and those of the next when the answer has been sent. Returns a function that leaves a connection to other protocols.
 */
export const handleOneAtATime = (server: Server): ((socket: Socket) => void) => {
  const onData = function (this: Socket, bytes: Buffer): void {
    const connection = connections.get(this)
    if (!connection) return
    const { waiting } = connection
    if (waiting.length === 0) {
      connection.waiting = bytes
      readNext(connection)
      return
    }
    connection.waiting = Buffer.concat([waiting, bytes])
    if (connection.waiting.length > maxWaiting) this.destroy()
  }
  const onConnection = (socket: Socket): void => {
    // The listener of Node.js comes first, because it was there when the server was created. A socket under TLS has none.
    const [read] = socket.listeners('data') as Connection['read'][]
    if (!read || connections.has(socket)) return
    connections.set(socket, { socket, read, bodyLeft: 0, tail: empty, waiting: empty })
    socket.off('data', read)
    socket.on('data', onData)
  }
  server.on('connection', onConnection)
  server.on('secureConnection', onConnection)
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    if (connection) connection.response = response
  })
  return (socket) => {
    const connection = connections.get(socket)
    connections.delete(socket)
    socket.off('data', onData)
    if (connection && connection.waiting.length > 0) socket.unshift(connection.waiting)
  }
}
