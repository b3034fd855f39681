import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Test } from 'tap'
import { eventually } from '../../../test/helpers/processes/process.js'

/** An application that is told of sign-outs, and checks what it is told by the keys at `origin`. */
export const startListener = async (t: Test, issuer: string, origin = issuer) => {
  const keys = createRemoteJWKSet(new URL(`${origin}/.well-known/jwks.json`), { cooldownDuration: 0 })
  const told: { sub: string; sid: unknown; events: object }[] = []
  let status = 200
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const read = async (): Promise<void> => {
        const token = new URLSearchParams(body).get('logout_token') ?? ''
        const { payload } = await jwtVerify(token, keys, { issuer, audience: 'grafana', typ: 'logout+jwt' })
        const { sub = '', sid, events } = payload as { sub?: string; sid?: unknown; events?: object }
        told.push({ sub, sid, events: events ?? {} })
      }
      read().then(
        () => response.writeHead(status).end(),
        () => response.writeHead(400).end(),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    uri: `http://127.0.0.1:${port}/logout`,
    told,
    requests: () => requests,
    answerWith: (next: number): void => {
      status = next
    },
    /** Waits for so many logout tokens. */
    toldTimes: (count: number) =>
      eventually('the application to be told', async () => (told.length >= count ? told : undefined)),
  }
}
