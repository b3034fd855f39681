// Types only: an ES module that imports values of node:http also loads the `fetch` of Node.js, which takes 4 MB.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyReply } from 'fastify'
import { catalogue } from '../../../schemas/problems.js'
import type { Clock } from '../../../lib/clock.js'
import { errorEnvelope } from './error-envelope.js'
import { pickLanguage } from '../../../lib/language.js'

/** The app, which sets these elsewhere, has not seen the request. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Milliseconds in which whoever gets the answer may take it and hang up. */
const lingering = 1000

/**
 * Options of the server for what goes wrong before a request reaches the app: addresses that cannot be decoded,
 * bytes that are not HTTP. Answered in the envelope all the same.
 */
export const answersBeforeRouting = (
  clock: Clock,
): Pick<FastifyHttpOptions<Server>, 'frameworkErrors' | 'clientErrorHandler' | 'http'> => ({
  // Node would answer a request without Host itself, with an empty body.
  // `headersTimeout` is looked at as often as the interval says.
  http: { requireHostHeader: false, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  frameworkErrors: (_error, request, reply) => {
    const language = pickLanguage(request.headers['accept-language'])
    const body = errorEnvelope('invalid_request', language, clock.now(), { faults: [{ field: 'url', rule: 'url' }] })
    void (reply as FastifyReply).code(body.code).headers(headers).send(body)
  },
  clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => {
    // The other side is gone or has never sent anything, or an answer is already on its way.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0 || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const { status } = catalogue.invalid_request
    const body = JSON.stringify(errorEnvelope('invalid_request', 'en', clock.now()))
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
    // `end` alone waits for the other side to end, too. Not at once: closed with bytes unread, it would lose the answer.
    const timer = setTimeout(() => socket.destroy(), lingering)
    socket.once('close', () => clearTimeout(timer))
  },
})
