import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A request to a stand-in: its path, and its parameters from wherever they came. */
export interface PlatformRequest {
  path: string
  method: string
  parameters: Record<string, string>
  headers: Record<string, string>
}

export interface PlatformAnswer {
  status?: number
  type?: string
  body: unknown
}

/** A server on loopback in place of a platform; `answer` decides, and everything asked is kept. */
export const startStandIn = async (t: Test, answer: (request: PlatformRequest) => PlatformAnswer) => {
  const received: PlatformRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://stand-in')
      const entry: PlatformRequest = {
        path: url.pathname,
        method: request.method ?? '',
        parameters: { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(new URLSearchParams(body)) },
        headers: request.headers as Record<string, string>,
      }
      received.push(entry)
      const { status = 200, type = 'application/json; charset=utf-8', body: reply } = answer(entry)
      response.writeHead(status, { 'content-type': type })
      response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}
