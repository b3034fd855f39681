import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

/**
 * Lets the server close as soon as the last response has been sent. Without this it would wait for keep-alive connections
 * and for connections that have never sent a request.
 */
export default fp(
  async (app) => {
    const silent = new Set<Socket>()
    const onConnection = (socket: Socket) => {
      silent.add(socket)
      socket.once('data', () => silent.delete(socket))
      socket.once('close', () => silent.delete(socket))
    }
    app.server.on('connection', onConnection)

    let isClosing = false
    app.addHook('preClose', async () => {
      isClosing = true
      for (const socket of silent) socket.destroy()
    })
    app.addHook('onSend', (_request, reply, _payload, next) => {
      if (isClosing) void reply.header('connection', 'close')
      next()
    })
  },
  { name: 'http/graceful-close' },
)
