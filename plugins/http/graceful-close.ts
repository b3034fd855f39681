import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

/**
 * Lets the server close as soon as its last answer is out. Left alone, it would wait for connections that are kept
 * alive after an answer, or that have never sent anything.
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
  { name: 'graceful-close' },
)
