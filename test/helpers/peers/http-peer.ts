import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface PeerAnswer {
  status: number
  body?: string
}

/** A real HTTP server on loopback that keeps what it receives; `answer` may hang by never resolving. */
export const startPeer = async (
  t: Test,
  answer: (request: ReceivedRequest, count: number) => PeerAnswer | Promise<PeerAnswer>,
) => {
  const received: ReceivedRequest[] = []
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { method = '', url = '', headers } = request
      const entry = { method, url, headers, body }
      received.push(entry)
      for (const wake of waiting) wake()
      waiting = []
      const { status, body: reply = '' } = await answer(entry, received.length)
      response.writeHead(status, { 'content-type': 'application/json' }).end(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    received,
    /** Resolves when so many requests have come. */
    async waitFor(count: number): Promise<ReceivedRequest[]> {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return received
    },
  }
}
