import dns from 'node:dns'
import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import { beginnings, closedByServer, openHalf } from '../../helpers/load/half-open.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type ServerOptions } from '../../helpers/service/server.js'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
const options = hasIpv6 ? {} : { skip: 'this machine has no address ::1' }

/** A server on both addresses of `localhost`, whatever the hosts file of the machine says. */
const startOnLocalhost = async (t: Test, options: ServerOptions) => {
  const { lookup } = dns
  t.intercept(dns, 'lookup', {
    value: (name: string, ...rest: unknown[]) => {
      const [asked, callback] = rest as [
        { all?: boolean } | undefined,
        (error: null, found: dns.LookupAddress[]) => void,
      ]
      if (name !== 'localhost' || !asked?.all) return (lookup as (...all: unknown[]) => unknown)(name, ...rest)
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    },
  })
  const server = await startServer(t, { ...options, host: 'localhost' })
  return { server, further: server.origin.replace('127.0.0.1', '[::1]') }
}

test('the limit of connections holds on ::1, where Fastify listens for localhost', options, async (t) => {
  const { further } = await startOnLocalhost(t, { settings: { connections: { perAddress: 3, inAll: 100 } } })
  const opened = []
  for (let index = 0; index < 5; index++) {
    opened.push(await openHalf(t, further, '', '::1'))
  }
  for (const { socket } of opened.slice(0, 2)) await closedByServer(socket)
  for (const { socket } of opened.slice(2)) t.notOk(socket.readableEnded, 'the newest are still open')
})

test('the requests of a connection to ::1 are handled one after the other', options, async (t) => {
  const begun: string[] = []
  const answers: (() => void)[] = []
  const extend = (app: FastifyInstance) => {
    app.get('/slow/:name', { config: { access: 'open' } }, async (request) => {
      begun.push((request.params as { name: string }).name)
      await new Promise<void>((resolve) => answers.push(resolve))
      return 'done'
    })
  }
  const { further } = await startOnLocalhost(t, { extend })
  const ask = (name: string) => `GET /slow/${name} HTTP/1.1\r\nHost: x\r\n\r\n`
  const { socket } = await openHalf(t, further, ask('a') + ask('b'), '::1')
  await eventually('the first request', () => answers[0])
  await setTimeout(20)
  t.same(begun, ['a'])
  answers[0]?.()
  await eventually('the second request', () => answers[1])
  t.same(begun, ['a', 'b'])
  answers[1]?.()
  socket.destroy()
})

test('on ::1 requests in no time and bytes that are no HTTP are answered as on 127.0.0.1', options, async (t) => {
  const times = { requestTimeout: 500, headersTimeout: 400, connectionsCheckingInterval: 100 }
  const { further } = await startOnLocalhost(t, { times })
  for (const [beginning, answer] of [
    [beginnings['no HTTP at all'], /^HTTP\/1\.1 400 [^]*"reason":"invalid_request"/],
    [beginnings['half a body'], /^HTTP\/1\.1 408 [^]*"reason":"request_timeout"/],
  ] as const) {
    const { socket, received } = await openHalf(t, further, beginning, '::1')
    await closedByServer(socket)
    t.match(received(), answer)
  }
})

test('a server for localhost ends with its connections to ::1, and listens there no more', options, async (t) => {
  const { server, further } = await startOnLocalhost(t, {})
  const silent = await openHalf(t, further, '', '::1')
  const kept = await openHalf(t, further, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', '::1')
  await eventually('the answer', () => (kept.received().includes('200 OK') ? true : undefined))
  await server.app.close()
  await closedByServer(silent.socket)
  await closedByServer(kept.socket)
  const late = connect(Number(new URL(further).port), '::1')
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
  t.equal(error.code, 'ECONNREFUSED')
})
