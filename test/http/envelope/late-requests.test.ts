import { test, type Test } from 'tap'
import { closedByServer, openHalf } from '../../helpers/load/half-open.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const times = { requestTimeout: 500, headersTimeout: 400, connectionsCheckingInterval: 100 }

const line = 'POST /auth/login HTTP/1.1\r\nHost: x\r\n'
const json = `${line}Content-Type: application/json\r\n`
const whole = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'

/** Sends the bytes and waits until the server ends the connection. Returns what it has answered and logged. */
const sendHalf = async (t: Test, server: TestServer, bytes: string) => {
  const begin = server.log().length
  const { socket, received } = await openHalf(t, server.origin, bytes)
  await closedByServer(socket)
  const lines = server.log().slice(begin).trimEnd().split('\n')
  return {
    received: received(),
    statuses: [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    logged: lines.filter((text) => text !== '').map((text) => JSON.parse(text) as Record<string, any>),
  }
}

test('a request of which a part does not arrive in time is answered 408, with a log line of its own', async (t) => {
  const server = await startServer(t, { times })
  const rows: [sentence: string, bytes: string, before?: number[]][] = [
    ['half a line', 'POST /auth/lo'],
    ['half a head', `${json}Content-Le`],
    ['half a head after another request', `${whole}${json}Content-Le`, [200]],
    ['no body', `${json}Content-Length: 100\r\n\r\n`],
    ['half a body of JSON', `${json}Content-Length: 100\r\n\r\n{"user`],
    ['half a body after another request', `${whole}${json}Content-Length: 100\r\n\r\n{"user`, [200]],
    ['half a form', `${line}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nusername=`],
    ['chunks without an end', `${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n`],
    ['half a body that was announced', `${json}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n{"user`, [100]],
  ]
  for (const [sentence, bytes, before = []] of rows) {
    await t.test(sentence, async (t) => {
      const { received, statuses, logged } = await sendHalf(t, server, bytes)
      t.same(statuses, [...before, 408])
      const [head = '', body = ''] = received.slice(received.lastIndexOf('HTTP/1.1 408')).split('\r\n\r\n')
      t.match(JSON.parse(body), { code: 408, data: { reason: 'request_timeout' }, timestamp: server.clock.now() })
      t.match(head, /^connection: close$/im)
      const late = logged.find(({ msg }) => msg === 'a request that did not arrive in time is refused')
      t.match(head, new RegExp(`^x-request-id: ${late?.reqId}\r$`, 'im'))
      for (const { msg } of logged) t.notMatch(msg, /not HTTP|request refused/)
    })
  }
  t.notMatch(server.log(), /"level":[56]0/)
  t.equal((await server.call('GET', '/health/live')).status, 200)
})

test('the answer to a late body is in the language of the request', async (t) => {
  const server = await startServer(t, { times })
  const { received } = await sendHalf(t, server, `${json}Accept-Language: zh-CN\r\nContent-Length: 100\r\n\r\n{"user`)
  t.match(received, /请求未能及时到达/)
})

test('a request that was answered before it arrived gets no second answer', async (t) => {
  const server = await startServer(t, { times })
  const rows = [
    ['GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n', 200],
    ['POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n', 404],
    ['POST /system/user/import HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\n', 401],
  ] as const
  for (const [bytes, status] of rows) {
    for (const body of ['', 'half']) t.same((await sendHalf(t, server, bytes + body)).statuses, [status])
  }
})

test('a silent connection is closed without an answer', async (t) => {
  const server = await startServer(t, { times })
  t.same((await sendHalf(t, server, '')).statuses, [])
})
