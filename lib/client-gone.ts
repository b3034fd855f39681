import type { FastifyReply } from 'fastify'

/** Aborted when the connection closes before the answer has been sent. The signal of the request ends with its body. */
export const clientGone = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
