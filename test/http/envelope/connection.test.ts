import { connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { closedByServer, openHalf } from '../../helpers/load/half-open.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type Answer } from '../../helpers/service/server.js'
import { request, sendBytes } from '../../helpers/load/socket.js'

test('bytes that are not a proper HTTP request are answered in the envelope', async (t) => {
  const server = await startServer(t)
  const line = 'GET /health/live HTTP/1.1\r\n'
  const closing = 'Connection: close\r\n'
  const chunked = 'Transfer-Encoding: chunked\r\n'
  const rows: [sentence: string, bytes: string | Buffer][] = [
    ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex')],
    ['rubbish', '\x00\x01\x02\xff\xfe\r\n\r\n'],
    ['a line of text', 'hello\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['another version', 'GET / HTTP/9.9\r\n\r\n'],
    ['an unknown method', 'BREW /auth/login HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', `${line}Host: x\r\nbroken\r\n\r\n`],
    ['a space in the name of a header', `${line}Host: x\r\nX Y: 1\r\n\r\n`],
    ['a NUL in a header', `${line}Host: x\r\nX-Y: \0\r\n\r\n`],
    ['two lengths', `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a length that is no number', `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n`],
    ['a length and chunks', `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n${chunked}\r\n0\r\n\r\n`],
    ['no Host', `${line}${closing}\r\n`],
  ]
  for (const [sentence, bytes] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await sendBytes(server, bytes)
      expectProblem(t, answer, 'invalid_request')
      t.equal(answer.body.timestamp, server.clock.now())
      t.match(answer.headers.get('content-type'), /json/)
      t.equal(answer.headers.get('connection'), 'close')
      t.equal(answer.headers.get('content-length'), String(Buffer.byteLength(answer.text)))
      t.notMatch(answer.text, /HPE_|Parse Error/)
    })
  }
  t.equal((await server.call('GET', '/health/live')).status, 200, 'the others are still served')
})

test('headers above 16 KiB are answered in the envelope, on a new connection and on a used one', async (t) => {
  const server = await startServer(t)
  const small = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
  const large = `GET /auth/userInfo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(20_000)}\r\n\r\n`
  const rows: [sentence: string, before: string[], last: string][] = [
    ['the first request', [], large],
    ['a long address', [], `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['the third request', [small, small], large],
    ['a request with a body before', [`POST /auth/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`], large],
    ['a request that did not wait for the answer before', [], `${small}${large}`],
  ]
  for (const [sentence, before, last] of rows) {
    await t.test(sentence, async (t) => {
      const { socket, received } = await openHalf(t, server.origin, '')
      const answers = () => received().match(/HTTP\/1\.1 \d+/g) ?? []
      for (const [index, bytes] of before.entries()) {
        socket.write(bytes)
        await eventually('an answer', () => (answers().length > index ? true : undefined))
      }
      socket.write(last)
      await closedByServer(socket)
      t.equal(answers().at(-1), 'HTTP/1.1 431')
      const text = received().slice(received().lastIndexOf('\r\n\r\n') + 4)
      const body = JSON.parse(text) as Answer['body']
      t.same(body, {
        code: 431,
        message: 'The address or the headers are too large',
        data: { reason: 'headers_too_large' },
        timestamp: server.clock.now(),
      })
      // More of them than an id of a request may have.
      t.notMatch(received(), /HPE_|a{13}/)
    })
  }
})

test('bytes that are not HTTP are answered on a used connection, but not in the middle of an answer', async (t) => {
  const server = await startServer(t)
  const { socket, received } = await openHalf(t, server.origin, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually('the answer', () => (received().includes('}') ? true : undefined))
  socket.write('hello\r\n\r\n')
  await closedByServer(socket)
  t.match(received(), /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 [^]*"reason":"invalid_request"/)
})

test('an expectation that cannot be met is answered in the envelope', async (t) => {
  const server = await startServer(t)
  const answer = await sendBytes(server, request('GET /health/live', { Expect: 'the-unexpected' }))
  t.ok(answer.status === 200 || (answer.status >= 400 && answer.status < 500))
  t.same(Object.keys(answer.body).sort(), ['code', 'data', 'message', 'timestamp'])
})

test('a caller that leaves in the middle of a request does no harm', async (t) => {
  const server = await startServer(t)
  const { hostname, port } = new URL(server.origin)
  const beginnings = [
    '',
    'POST /auth/lo',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Ty',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"username":',
  ]
  for (const beginning of beginnings) {
    for (const leave of ['end', 'resetAndDestroy'] as const) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.resume().write(beginning)
      socket[leave]()
      await once(socket, 'close')
      t.equal((await server.call('GET', '/health/ready')).status, 200, `after ${leave} at ${beginning.length}`)
    }
  }
  t.notMatch(server.log(), '"level":60')
})
