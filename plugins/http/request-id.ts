import fp from 'fastify-plugin'
import { requestIds } from '../../lib/request-id.js'

/** Answers every request with its id in `X-Request-Id`, and adds the id to all log lines that the request causes. */
export default fp(
  async (app) => {
    // When the answer is sent, because a request may be refused before a hook at its arrival.
    app.addHook('onSend', (request, reply, _payload, next) => {
      reply.header('x-request-id', request.id)
      next()
    })
    // After the body has been read: its events belong to the connection and would lose the id.
    app.addHook('preValidation', (request, _reply, next) => requestIds.run(request.id, next))
  },
  { name: 'http/request-id' },
)
