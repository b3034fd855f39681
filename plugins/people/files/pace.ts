import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { allowSlowUpload } from '../../../lib/slow-uploads.js'
import { problem } from '../../../lib/problem.js'

/** A file that moves more slowly would keep others waiting. Bytes in a period of milliseconds. */
export const slowest = { bytes: 20 * 1024, period: 20_000 }

/**
 * Runs `receive`, which reads the body of an upload until its signal is aborted. Throws `request_timeout` when fewer bytes
 * arrive; `discard` gets what `receive` resolves to in that case.
 */
export const receiveInTime = async <T>(
  request: IncomingMessage,
  receive: (late: AbortSignal) => Promise<T>,
  discard: (late: T) => unknown,
): Promise<T> => {
  const { socket } = request
  const endException = allowSlowUpload(request)
  const { promise: slow, reject } = Promise.withResolvers<never>()
  const late = new AbortController()
  let before = socket.bytesRead
  const timer = setInterval(() => {
    if (socket.bytesRead - before < slowest.bytes) {
      reject(problem('request_timeout'))
      late.abort()
    }
    before = socket.bytesRead
  }, slowest.period).unref()
  const received = receive(late.signal)
  try {
    return await Promise.race([received, slow])
  } catch (error) {
    received.then(discard, () => undefined)
    throw error
  } finally {
    clearInterval(timer)
    endException()
  }
}

/**
 * Ends a download when fewer bytes are taken while others wait. `produced` tells how many bytes were put into `content`, which
 * counts its buffer in bytes.
 */
export const endWhenSlow = (content: Readable, produced: () => number): void => {
  let before = 0
  let waited = false
  const timer = setInterval(() => {
    const taken = produced() - content.readableLength
    const waits = content.readableLength > 0
    // Bytes that came a moment ago do not wait for long.
    if (waited && waits && taken - before < slowest.bytes) content.destroy(new Error('The download was too slow'))
    waited = waits
    before = taken
  }, slowest.period).unref()
  content.once('close', () => clearInterval(timer))
}
