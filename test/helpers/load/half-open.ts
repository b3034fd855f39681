import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'

/** What a client may send before it falls silent. */
export const beginnings = {
  nothing: '',
  'half a header': 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Ty',
  'half a body':
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"user',
  'no HTTP at all': 'hello\r\n\r\n',
}

/** Opens a connection that sends the beginning of a request and never ends its side, whatever the server does. */
export const connectHalf = async (origin: string, beginning: string, localAddress: string) => {
  const { hostname, port } = new URL(origin)
  const socket = connect({
    host: hostname.replace(/[[\]]/g, ''),
    port: Number(port),
    localAddress,
    allowHalfOpen: true,
  })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (beginning !== '') socket.write(beginning)
  return { socket, received: () => received }
}

/** The same until the end of the test. */
export const openHalf = async (t: Test, origin: string, beginning: string, localAddress = '127.0.0.1') => {
  const opened = await connectHalf(origin, beginning, localAddress)
  t.teardown(() => opened.socket.destroy())
  return opened
}

/** Resolves when the server has closed its side. */
export const closedByServer = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve())
    if (socket.readableEnded || socket.destroyed) resolve()
  })
