import { randomUUID } from 'node:crypto'
// Types only: an ES module that imports values of node:http also loads the `fetch` of Node.js, which takes 4 MB.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify'
import { catalogue } from '../../../schemas/problems.js'
import type { Clock } from '../../../lib/clock.js'
import { canAnswer, requestInBody } from '../../../lib/one-at-a-time.js'
import { problem } from '../../../lib/problem.js'
import { mayBeLate } from '../../../lib/slow-uploads.js'
import { errorEnvelope } from './error-envelope.js'
import { languageOf } from '../../../lib/language.js'

/** These requests do not reach the hooks of the app that set security headers. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const statusTexts = {
  headers_too_large: 'Request Header Fields Too Large',
  invalid_request: 'Bad Request',
  request_timeout: 'Request Timeout',
}

const reasonOf = (code: string | undefined): keyof typeof statusTexts => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'invalid_request'
}

/** Logs that a part of a request is missing. */
export const logLate = (log: FastifyBaseLogger, facts: object): void =>
  log.info(facts, 'a request that did not arrive in time is refused')

/** Time that a client has to read the response and close the connection. Milliseconds. */
const closeDelay = 1000

/** `end` waits for the client to close, so a timer does it. Closing at once, with unread bytes, would lose the response. */
const closeSoon = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), closeDelay)
  socket.once('close', () => clearTimeout(timer))
}

type ClientError = Error & { code?: string }

/** Answers bytes that are not HTTP, and requests that are late, in the envelope, and ends their connection. */
export const refuseConnection = (
  { code: cause }: ClientError,
  socket: Socket,
  { log, clock }: { log: FastifyBaseLogger; clock: Clock },
): void => {
  const reason = reasonOf(cause)
  // The client has closed the connection or sent nothing, or an answer has been started.
  if (cause === 'ECONNRESET' || !socket.writable || !canAnswer(socket) || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  closeSoon(socket)
  const request = reason === 'request_timeout' ? requestInBody(socket) : undefined
  // What reads the body answers, in the language of the request and with its id.
  if (request && request.listenerCount('error') > 0) {
    request.emit('error', problem(reason))
    return
  }
  const reqId = randomUUID()
  const facts = { reqId, cause, address: socket.remoteAddress }
  if (reason === 'request_timeout') logLate(log, facts)
  else log.info(facts, 'bytes that are not HTTP are refused')
  const text = JSON.stringify(errorEnvelope(reason, 'en', clock.now()))
  socket.end(
    `HTTP/1.1 ${catalogue[reason].status} ${statusTexts[reason]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${reqId}\r\nConnection: close\r\n\r\n${text}`,
  )
}

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
    const language = languageOf(request)
    const body = errorEnvelope('invalid_request', language, clock.now(), { faults: [{ field: 'url', rule: 'url' }] })
    void (reply as FastifyReply)
      .code(body.code)
      .headers({ ...headers, 'x-request-id': request.id })
      .send(body)
  },
  clientErrorHandler(this: FastifyInstance, error: ClientError, socket: Socket) {
    // Its pace is watched instead of its time.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayBeLate(socket)) return
    refuseConnection(error, socket, { log: this.log, clock })
  },
})
