import { setTimeout } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { installedDirectory } from '../../helpers/processes/child.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { beginnings, closedByServer, openHalf } from '../../helpers/load/half-open.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually, startProcess } from '../../helpers/processes/process.js'

/** Bytes a second. */
const pace = 25_000
/** Bytes: at this pace, the upload takes longer than any other request may. */
const size = 1_200_000

const start = async (t: Test, environment: Record<string, string> = {}) =>
  startProcess(t, { directory: await installedDirectory(t), environment })

/** Uploads a file of two users at the pace, and returns what the server has sent. */
const uploadSlowly = async (t: Test, moreHeaders: string[]) => {
  const server = await start(t)
  const { accessToken } = (await server.signIn('admin', adminPassword)).body.data
  const head = ['POST /system/user/import HTTP/1.1', 'host: localhost', `authorization: Bearer ${accessToken}`]
  const lines = [...head, 'content-type: text/csv', `content-length: ${size}`, ...moreHeaders, '', '']
  const { socket, received } = await openHalf(t, server.origin, lines.join('\r\n'))
  if (moreHeaders.length > 0) await eventually('leave to go on', () => (received() === '' ? undefined : true))
  const body = Buffer.alloc(size, '\n')
  body.write('username\nalice\nbob\n')
  for (let sent = 0; sent < size && !socket.destroyed; sent += pace / 10) {
    socket.write(body.subarray(sent, sent + pace / 10))
    await setTimeout(100)
  }
  return eventually('the answer', () => (/HTTP\/1\.1 [2-5]/.test(received()) ? received() : undefined))
}

test('a file of 1.2 MB arrives at 25 kB/s, also one that was announced by Expect', async (t) => {
  const [plain, announced] = await Promise.all([uploadSlowly(t, []), uploadSlowly(t, ['expect: 100-continue'])])
  t.match(plain, /^HTTP\/1\.1 200 [^]*"added":2/)
  t.match(announced, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*"added":2/)
})

test('other requests that do not arrive in time are answered 408, on the port of the metrics, too', async (t) => {
  const port = String(await freePort())
  const server = await start(t, { METRICS_PORT: port })
  const rows: [sentence: string, origin: string, beginning: string, limit: number][] = [
    ['half a header', server.origin, beginnings['half a header'], 15],
    ['half a body', server.origin, beginnings['half a body'], 30],
    ['half a header to the metrics', `http://127.0.0.1:${port}`, beginnings['half a header'], 10],
  ]
  const send = async ([sentence, origin, beginning, limit]: (typeof rows)[number]) => {
    const begin = performance.now()
    const { socket, received } = await openHalf(t, origin, beginning)
    await closedByServer(socket)
    const seconds = (performance.now() - begin) / 1000
    t.match(received(), /^HTTP\/1\.1 408 [^]*"reason":"request_timeout"/, sentence)
    // The times are looked at every five seconds.
    t.ok(seconds > limit - 1 && seconds < limit + 7, `${sentence}: ${seconds.toFixed(1)} s`)
  }
  await Promise.all(rows.map(send))
  const late = server.logLines().filter(({ msg }) => msg === 'a request that did not arrive in time is refused')
  t.equal(late.length, rows.length)
})
