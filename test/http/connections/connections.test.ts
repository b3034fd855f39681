import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { test } from 'tap'
import { connectionLimits } from '../../../plugins/http/connections/limits.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { beginnings, closedByServer, openHalf } from '../../helpers/load/half-open.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const countConnections = (server: TestServer) =>
  new Promise<number>((resolve, reject) =>
    server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

/** Resolves once the server has so many connections; they are counted when the server has noticed them. */
const holds = (server: TestServer, count: number) =>
  eventually(`${count} connections`, async () => ((await countConnections(server)) === count ? count : undefined))

/** A route whose answer the test gives, and whether its request has arrived. */
const slowRoute = () => {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let arrive: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const extend = (app: FastifyInstance) => {
    app.get('/slow', { config: { access: 'open' } }, async () => {
      arrive()
      await answered
      return 'done'
    })
  }
  return { extend, answer, arrived }
}

test('a connection whose request was no HTTP is freed, though the other side never hangs up', async (t) => {
  const server = await startServer(t)
  const opened = await Promise.all(
    Array.from({ length: 20 }, () => openHalf(t, server.origin, beginnings['no HTTP at all'])),
  )
  for (const { socket, received } of opened) {
    await closedByServer(socket)
    t.match(received(), /^HTTP\/1\.1 400 [^]*"reason":"invalid_request"/)
  }
  const begin = performance.now()
  while ((await countConnections(server)) > 0 && performance.now() - begin < 10_000) await wait(20)
  t.equal(await countConnections(server), 0)
})

test('an address has its limit: its own oldest connections make room, those of others stay', async (t) => {
  const server = await startServer(t, { settings: { connections: { perAddress: 5, inAll: 100 } } })
  const other = await openHalf(t, server.origin, beginnings['half a header'], '127.0.0.3')
  const opened = []
  for (let index = 0; index < 12; index++) {
    const beginning = Object.values(beginnings)[index % 3] ?? ''
    opened.push(await openHalf(t, server.origin, beginning, '127.0.0.2'))
  }
  for (const { socket } of opened.slice(0, 7)) await closedByServer(socket)
  await holds(server, 6)
  expectSuccess(t, await server.call('GET', '/health/ready'))
  for (const { socket } of [other, ...opened.slice(7)]) t.notOk(socket.readableEnded, 'the newest are still open')
})

test('where all connections are taken, the address with the most makes room, and the log says so once', async (t) => {
  const server = await startServer(t, { settings: { connections: { inAll: 8 } } })
  const few = [await openHalf(t, server.origin, '', '127.0.0.3')]
  const many = []
  for (let index = 0; index < 4; index++) many.push(await openHalf(t, server.origin, '', '127.0.0.2'))
  for (const index of [4, 5, 6]) few.push(await openHalf(t, server.origin, '', `127.0.0.${index}`))
  await holds(server, 8)
  const further = await openHalf(t, server.origin, '', '127.0.0.7')
  await closedByServer((many[0] ?? further).socket)
  expectSuccess(t, await server.signIn().then(() => server.call('GET', '/health/ready')))
  for (const { socket } of [further, ...few]) t.notOk(socket.readableEnded, 'others keep their connections')
  t.equal(server.log().match(/the limit of 8 open connections is reached/g)?.length, 1)
})

test('a request that the server works on is not dropped for new connections; they are', async (t) => {
  const { extend, answer, arrived } = slowRoute()
  const server = await startServer(t, { settings: { connections: { inAll: 4, perAddress: 1 } }, extend })
  const request = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'
  const { socket, received } = await openHalf(t, server.origin, request, '127.0.0.2')
  await arrived
  const refused = await openHalf(t, server.origin, beginnings['half a header'], '127.0.0.2')
  await closedByServer(refused.socket)
  t.equal(refused.received(), '')
  answer()
  await once(socket, 'data')
  t.match(received(), /^HTTP\/1\.1 200 /)
  await openHalf(t, server.origin, '', '127.0.0.2')
  await closedByServer(socket)
  t.pass('once it is answered, it makes room')
})

test('connections of a trusted proxy have no limit of their own', async (t) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.2' },
    settings: { connections: { perAddress: 2 } },
  })
  for (let index = 0; index < 5; index++) await openHalf(t, server.origin, '', '127.0.0.2')
  t.equal(await holds(server, 5), 5)
  for (let index = 0; index < 5; index++) await openHalf(t, server.origin, '', '127.0.0.3')
  t.equal(await holds(server, 7), 7)
})

test('connections that a host app upgrades are left to it', async (t) => {
  const server = await startServer(t, {
    settings: { connections: { perAddress: 1 } },
    extend: (app) => {
      app.server.on('upgrade', (_request, socket) => {
        // Node does not close upgraded connections when the server closes.
        t.teardown(() => socket.destroy())
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
      })
    },
  })
  const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n'
  const { socket, received } = await openHalf(t, server.origin, request, '127.0.0.2')
  await once(socket, 'data')
  t.match(received(), / 101 /)
  const second = await openHalf(t, server.origin, '', '127.0.0.2')
  await openHalf(t, server.origin, '', '127.0.0.2')
  await closedByServer(second.socket)
  t.notOk(socket.readableEnded)
})

test('the limits come from the descriptors, unless the configuration says otherwise', (t) => {
  const rows: [inAll: number | null, perAddress: number, descriptors: number, expected: [number, number]][] = [
    [null, 256, 400, [300, 150]],
    [null, 256, 1024, [768, 256]],
    [null, 256, 1_048_576, [10_000, 256]],
    [null, 256, Infinity, [10_000, 256]],
    [null, 20_000, 1024, [768, 384]],
    [50, 256, 1_048_576, [50, 25]],
    [null, 256, 1, [1, 1]],
  ]
  for (const [inAll, perAddress, descriptors, [all, one]] of rows) {
    t.same(connectionLimits({ inAll, perAddress }, descriptors), { inAll: all, perAddress: one })
  }
  t.end()
})
