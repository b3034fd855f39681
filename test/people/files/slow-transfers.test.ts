import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type ServerOptions, type TestServer } from '../../helpers/service/server.js'
import { openTemporaryFiles } from '../../helpers/service/temporary-files.js'
import { importFile } from '../../helpers/service/upload.js'
import { signInAs } from '../../helpers/service/users.js'

const permissions = ['system:user:add', 'system:user:list']
const period = 20_000

/** A server whose periods of transfers pass when the test says so. */
const startServers = async (t: Test, options: ServerOptions = {}) => {
  const ticks = new Set<() => void>()
  const { setInterval, clearInterval } = globalThis
  t.intercept(globalThis, 'setInterval', {
    value: (work: () => void, time: number) => {
      if (time !== period) return setInterval(work, time)
      ticks.add(work)
      const timer = { work, unref: () => timer }
      return timer
    },
  })
  t.intercept(globalThis, 'clearInterval', {
    value: (timer?: NodeJS.Timeout & { work?: () => void }) => {
      if (timer?.work) ticks.delete(timer.work)
      else clearInterval(timer)
    },
  })
  const server = await startServer(t, options)
  const { id: acme } = await server.operator.addTenant('Acme')
  const signIn = (name: string, tenantId: number) => signInAs(server, name, { tenantId, permissions })
  return {
    server,
    pass: () => [...ticks].forEach((tick) => tick()),
    watched: () => ticks.size,
    one: await signIn('one', 1),
    two: await signIn('two', 1),
    three: await signIn('three', 1),
    other: await signIn('other', acme),
  }
}

/** A connection that the server ends while something is sent may be reset, after its answer has arrived. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))

const beginUpload = async (
  t: Test,
  server: TestServer,
  token: string,
  size: number,
  more: string[] = [],
  type = 'text/csv',
) => {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  const head = ['POST /system/user/import HTTP/1.1', 'host: localhost', `authorization: Bearer ${token}`]
  socket.write([...head, `content-type: ${type}`, `content-length: ${size}`, ...more, '', ''].join('\r\n'))
  return { socket, received: () => received }
}

test('an upload takes no place from others before it has arrived, and one that hardly moves is ended', async (t) => {
  const { server, pass, watched, one, two, other } = await startServers(t)
  const { socket, received } = await beginUpload(t, server, one, 10_000_000)
  socket.write('username\n')
  await eventually('the upload', () => (watched() > 0 ? true : undefined))
  t.match(expectSuccess(t, await importFile(server, two, 'username\nx\n')), { added: 1 })
  t.match(expectSuccess(t, await importFile(server, other, 'username\nx\n')), { added: 1 })
  expectProblem(t, await importFile(server, one, 'username\ny\n'), 'too_many_requests')
  for (let periods = 0; periods < 3; periods++) {
    socket.write('x'.repeat(30_000) + '\n')
    await setTimeout(100)
    pass()
    await setTimeout(50)
    t.equal(received(), '', 'what moves is not ended')
  }
  socket.write('x'.repeat(1000))
  await setTimeout(50)
  pass()
  await closed(socket)
  t.match(received(), /^HTTP\/1.1 408 /)
  t.match(received(), /connection: close/i)
  t.match(received(), /"reason":"request_timeout"/)
  t.equal(watched(), 0)
  t.match(expectSuccess(t, await importFile(server, one, 'username\ny\n')), { added: 1 })
})

const formStart = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nusername\r\n'
for (const [sentence, type, start] of [
  ['as the body', 'text/csv', 'username\n'],
  ['as a form', 'multipart/form-data; boundary=x', formStart],
] as const) {
  test(`an upload ${sentence} that is ended because it hardly moves leaves no open file`, async (t) => {
    const { server, pass, one } = await startServers(t)
    for (let count = 0; count < 3; count++) {
      const { socket, received } = await beginUpload(t, server, one, 10_000_000, [], type)
      socket.write(start)
      await eventually('the file to be open', () => (openTemporaryFiles() > 0 ? true : undefined))
      pass()
      pass()
      await closed(socket)
      t.match(received(), /^HTTP\/1.1 408 /)
      await eventually('the file to be closed', () => (openTemporaryFiles() === 0 ? true : undefined))
    }
    t.match(expectSuccess(t, await importFile(server, one, 'username\nx\n')), { added: 1 })
  })
}

test('an upload that was announced by Expect and hardly moves is ended with the same answer', async (t) => {
  const { server, pass, watched, one } = await startServers(t)
  const { socket, received } = await beginUpload(t, server, one, 2_000_000, ['expect: 100-continue'])
  await eventually('the upload', () => (watched() > 0 ? true : undefined))
  await eventually('leave to go on', () => (received().includes('100 Continue') ? true : undefined))
  socket.write('username\n')
  pass()
  pass()
  await closed(socket)
  t.match(received(), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 408 [^]*"reason":"request_timeout"/)
  t.match(server.log(), 'a request that did not arrive in time is refused')
})

/** Many times what a request may take here. Milliseconds. */
const longUpload = 3000
const times = { requestTimeout: 500, headersTimeout: 400, connectionsCheckingInterval: 100 }

/** Writes a little again and again, until the connection is closed. */
const drip = (socket: Socket, piece: string): void => {
  const timer = global.setInterval(() => socket.write(piece), 50)
  socket.once('close', () => clearInterval(timer))
}

test('an upload that moves may take longer than other requests, and what stands still is ended', async (t) => {
  const { server, pass, watched, one, two } = await startServers(t, { times })
  const body = Buffer.from('username\n' + 'a'.repeat(40) + '\n' + '\n'.repeat(300_000))
  const { socket, received } = await beginUpload(t, server, one, body.length)
  const stalled = await beginUpload(t, server, two, body.length)
  stalled.socket.write('username\n')
  const begin = performance.now()
  const part = Math.ceil(body.length / (longUpload / 50))
  for (let sent = 0; sent < body.length; sent += part) {
    socket.write(body.subarray(sent, sent + part))
    await setTimeout(50)
  }
  t.ok(performance.now() - begin >= longUpload)
  await eventually('the answer', () => (received().includes('"added":1') ? true : undefined))
  t.equal(watched(), 1)
  t.equal(stalled.received(), '')
  pass()
  pass()
  await closed(stalled.socket)
  t.match(stalled.received(), /^HTTP\/1.1 408 [^]*"reason":"request_timeout"/)
  t.equal(socket.readyState, 'open')
  socket.write('POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n')
  drip(socket, ' ')
  await closed(socket)
  t.match(received(), /HTTP\/1.1 200 [^]*HTTP\/1.1 408 /, 'the next request of the connection has the time of all')
})

test('what follows an upload that is refused late must arrive soon', async (t) => {
  const { server, watched, one } = await startServers(t, { times })
  const { socket, received } = await beginUpload(t, server, one, 90_000_000)
  socket.write('username\n')
  drip(socket, 'x')
  await eventually('the upload', () => (watched() > 0 ? true : undefined))
  await setTimeout(1500)
  t.equal(received(), '')
  socket.write('x'.repeat(70_000_000))
  await closed(socket)
  t.match(received(), /^HTTP\/1.1 413 /)
})

const beginExport = async (server: TestServer, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const asked = request(`${server.origin}/system/user/export?orderByColumn=id`, { headers, agent: false })
  asked.on('error', () => undefined)
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  return answer
}

test('readers of one tenant who read nothing leave places to others, and are ended', async (t) => {
  const { server, pass, watched, one, two, three, other } = await startServers(t)
  await insertManyUsers(server.directory, 60_000)
  const ask = (token: string) => server.call('GET', '/system/user/export', { token, query: 'username=one' })
  const stalled = [await beginExport(server, one), await beginExport(server, two)]
  expectProblem(t, await ask(three), 'unavailable')
  t.equal((await ask(other)).status, 200)
  // First the buffers of the system fill.
  for (let periods = 0; periods < 60 && watched() > 0; periods++) {
    await setTimeout(500)
    pass()
  }
  t.equal(watched(), 0)
  t.equal((await ask(three)).status, 200, 'their places are free')
  for (const answer of stalled) {
    answer.resume()
    await eventually('the end', () => (answer.destroyed ? true : undefined))
    t.notOk(answer.complete, 'the file is not whole')
  }
  const reader = await beginExport(server, one)
  let bytes = 0
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const timer = setInterval(pass, 100)
  await once(reader, 'end')
  clearInterval(timer)
  t.ok(reader.complete, `${bytes} bytes`)
})
