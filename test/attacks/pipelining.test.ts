import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { test } from 'tap'
import { installedDirectory } from '../helpers/processes/child.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { freePort } from '../helpers/processes/free-port.js'
import { closedByServer, openHalf } from '../helpers/load/half-open.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { attackByPipelining } from '../helpers/load/pipelining.js'
import { eventually, startProcess } from '../helpers/processes/process.js'
import { startServer } from '../helpers/service/server.js'
import { longestWait, waitingTime } from '../helpers/load/waiting.js'

const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const json = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const chunked = (path: string, ...chunks: string[]) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

test('others hardly wait while somebody writes request after request without reading', async (t) => {
  const port = await freePort()
  const environment = { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.1' }
  const server = await startProcess(t, { directory: await installedDirectory(t), environment })
  const { data } = (await server.signIn('admin', adminPassword)).body
  const idle = await waitingTime(server, data.accessToken)
  const rows: [sentence: string, origin: string, request: string][] = [
    ['requests', server.origin, live],
    ['the shortest requests', server.origin, 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ['requests with a body', server.origin, json('/auth/logout', '{}')],
    ['blank lines', server.origin, '\r\n\r\n'],
    ['a body of blank lines', server.origin, chunked('/auth/logout', 'a\r\n\r\n'.repeat(5_000))],
    ['requests of the metrics', `http://127.0.0.1:${port}`, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['other requests to the metrics', `http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ]
  for (const [sentence, origin, request] of rows) {
    const stop = attackByPipelining(origin, request)
    const wait = await waitingTime(server, data.accessToken)
    stop()
    t.ok(wait <= longestWait(idle), `${sentence}: others wait ${wait.toFixed(1)} ms, and ${idle.toFixed(1)} ms without`)
  }
})

test('the requests of a connection are answered one after the other, in their order', async (t) => {
  const begun: string[] = []
  const answers = new Map<string, () => void>()
  const extend = (app: FastifyInstance) => {
    app.post('/echo/:name', { config: { access: 'open' } }, async (request) => {
      const { name } = request.params as { name: string }
      begun.push(name)
      await new Promise<void>((resolve) => answers.set(name, resolve))
      return { name, body: request.body }
    })
  }
  const server = await startServer(t, { extend })
  const requests = [
    json('/echo/a', '{"x":1}'),
    chunked('/echo/b', '{"x":', '2}'),
    `\r\n\r\n${json('/echo/c', '{"x":"\\r\\n"}')}`,
    json('/echo/d', '{\n\r\n\r\n"x":4}'),
    json('/echo/e', '{}').replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nConnection: close\r\n'),
    json('/echo/f', '{}'),
  ].join('')
  const names = ['a', 'b', 'c', 'd', 'e']
  const ways: [sentence: string, pieces: string[]][] = [
    ['in one packet', [requests]],
    ['byte by byte', [...requests]],
    ['cut in the middle of blank lines', requests.split(/(?<=\r\n\r)/)],
  ]
  for (const [sentence, pieces] of ways) {
    await t.test(sentence, async (t) => {
      begun.length = 0
      answers.clear()
      const { socket, received } = await openHalf(t, server.origin, '')
      socket.setNoDelay(true)
      for (const piece of pieces) {
        socket.write(piece)
        if (pieces.length > 1) await new Promise(setImmediate)
      }
      for (const [index, name] of names.entries()) {
        const answer = await eventually(`the request ${name}`, () => answers.get(name))
        await setTimeout(5)
        t.same(begun, names.slice(0, index + 1), 'the next one has not begun')
        answer()
      }
      await closedByServer(socket)
      const bodies = [...received().matchAll(/\{"name":"(\w)","body":(\{[^}]*\})\}/g)].map((match) => match.slice(1, 3))
      t.same(
        bodies,
        [
          ['a', '{"x":1}'],
          ['b', '{"x":2}'],
          ['c', '{"x":"\\r\\n"}'],
          ['d', '{"x":4}'],
          ['e', '{}'],
        ],
        'what follows Connection: close is not handled',
      )
    })
  }
})

test('a few requests may wait on a connection; one on which more wait is closed', async (t) => {
  const server = await startServer(t)
  const few = await openHalf(t, server.origin, live.repeat(50))
  await eventually('50 answers', () => (few.received().match(/HTTP\/1\.1 200 /g)?.length === 50 ? true : undefined))
  few.socket.write(live)
  await eventually('one more', () => (few.received().match(/HTTP\/1\.1 200 /g)?.length === 51 ? true : undefined))
  const many = await openHalf(t, server.origin, live.repeat(20_000))
  await closedByServer(many.socket)
  t.ok((many.received().match(/HTTP\/1\.1 200 /g)?.length ?? 0) < 20_000)
  expectSuccess(t, await server.call('GET', '/health/live'))
})

test('some blank lines may come before a request; a connection that brings many is closed', async (t) => {
  const server = await startServer(t)
  const few = await openHalf(t, server.origin, `${'\r\n'.repeat(500)}${live}`)
  await eventually('the answer', () => (few.received().includes(' 200 ') ? true : undefined))
  few.socket.destroy()
  const many = await openHalf(t, server.origin, `${'\r\n'.repeat(20_000)}${live}`)
  await closedByServer(many.socket)
  t.equal(many.received(), '')
})

test('a body that is refused before it has arrived is read and forgotten, and the next request is answered', async (t) => {
  const server = await startServer(t)
  const { hostname, port } = new URL(server.origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  const body = 'x\r\n\r\n'.repeat(20_000)
  socket.write(
    `POST /unknown HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 100)}`,
  )
  await eventually('the refusal', () => (received.includes(' 404 ') ? true : undefined))
  socket.write(`${body.slice(100)}${live}`)
  await eventually('the next answer', () => (received.includes(' 200 ') ? true : undefined))
  socket.destroy()
})
