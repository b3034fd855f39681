import { randomUUID } from 'node:crypto'
// Types only: an ES module that imports values of node:http also loads the `fetch` of Node.js, which takes 4 MB.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify'
import { catalogue } from '../../../schemas/problems.js'
import type { Clock } from '../../../lib/clock.js'
import { canAnswer } from '../../../lib/one-at-a-time.js'
import { mayBeLate } from '../../../lib/slow-uploads.js'
import { errorEnvelope } from './error-envelope.js'
import { pickLanguage } from '../../../lib/language.js'

/** These requests do not reach the hooks of the app that set security headers. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const statusTexts = { headers_too_large: 'Request Header Fields Too Large', invalid_request: 'Bad Request' }

/** Time that a client has to read the response and close the connection. Milliseconds. */
const closeDelay = 1000

/**
 * Server options for requests that fail before routing: URLs that cannot be decoded, and bytes that are not HTTP. They are
 * answered in the envelope too.
 */
export const answersBeforeRouting = (
  clock: Clock,
): Pick<FastifyHttpOptions<Server>, 'frameworkErrors' | 'clientErrorHandler' | 'http'> => ({
  // Node.js would answer a request without Host with an empty body; `errors/index.ts` answers it instead.
  // `headersTimeout` is checked once per `connectionsCheckingInterval`.
  http: { requireHostHeader: false, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  frameworkErrors: (_error, request, reply) => {
    const language = pickLanguage(request.headers['accept-language'])
    const body = errorEnvelope('invalid_request', language, clock.now(), { faults: [{ field: 'url', rule: 'url' }] })
    void (reply as FastifyReply)
      .code(body.code)
      .headers({ ...headers, 'x-request-id': request.id })
      .send(body)
  },
  clientErrorHandler(this: FastifyInstance, error: Error & { code?: string }, socket: Socket) {
    // Its pace is watched instead of its time.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayBeLate(socket)) return
    // The client has closed the connection or sent nothing, or another response has been started.
    if (error.code === 'ECONNRESET' || !socket.writable || !canAnswer(socket) || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const reason = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'invalid_request'
    const { status } = catalogue[reason]
    const reqId = randomUUID()
    this.log.info({ reqId, cause: error.code, address: socket.remoteAddress }, 'bytes that are not HTTP are refused')
    const body = JSON.stringify(errorEnvelope(reason, 'en', clock.now()))
    socket.end(
      `HTTP/1.1 ${status} ${statusTexts[reason]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${reqId}\r\nConnection: close\r\n\r\n${body}`,
    )
    // `end` waits for the client to close, so a timer does it. Closing at once, with unread bytes, would lose the response.
    const timer = setTimeout(() => socket.destroy(), closeDelay)
    socket.once('close', () => clearTimeout(timer))
  },
})
