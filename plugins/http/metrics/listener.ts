import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../lib/clock.js'
import { handleOneAtATime } from '../../../lib/one-at-a-time.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { refuseConnection } from '../errors/before-routing.js'
import type { Metrics } from './metrics.js'

/** Answers `GET /metrics` on a port of its own, and nothing else. Resolves when it listens. */
export const listen = async (
  { host, port }: { host: string; port: number },
  metrics: Pick<Metrics, 'read' | 'contentType'>,
  isAllowed: (authorization: string | undefined) => boolean,
  app: { log: FastifyBaseLogger; clock: Clock },
) => {
  const times = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 }
  const server = createServer(times, (request, response) => {
    const isKnown = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isKnown || !isAllowed(request.headers.authorization)) {
      response.writeHead(isKnown ? 401 : 404, isKnown ? { 'www-authenticate': 'Bearer realm="metrics"' } : {}).end()
      return
    }
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  server.maxConnections = 100
  server.on('clientError', (error, socket: Socket) => refuseConnection(error, socket, app))
  handleOneAtATime(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new OperatorError(`The metrics cannot listen on ${host}:${port}: ${cause.message}. Set another METRICS_PORT.`, {
          cause,
        }),
      ),
    )
    server.listen(port, host, resolve)
  })
  // The service decides when the process ends.
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
