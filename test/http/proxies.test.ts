import { test } from 'tap'
import { startServer } from '../helpers/service/server.js'

const environment = { TRUST_PROXY: '127.0.0.1,10.0.0.0/8' }
/** Who is the caller when the proxy at 127.0.0.1 sends the header. */
const rows: [forwarded: string, caller: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['198.51.100.1, 203.0.113.7:80, 10.0.0.5:9', '203.0.113.7'],
  [',, 203.0.113.7 , ', '203.0.113.7'],
  ['unknown, 203.0.113.7', '203.0.113.7'],
  ['unknown', '127.0.0.1'],
  ['203.0.113.7, unknown', '127.0.0.1'],
  ['203.0.113.7, _hidden, 10.0.0.5', '10.0.0.5'],
  ['203.0.113.7:123456', '127.0.0.1'],
  ['203.0.113.7:', '127.0.0.1'],
  ['[203.0.113.7', '127.0.0.1'],
  ['3405803783', '127.0.0.1'],
  ['0xcb.0.113.7', '127.0.0.1'],
  [' ', '127.0.0.1'],
]

test('the caller is the address that the trusted proxy saw, without port; what is no address is the proxy', async (t) => {
  const server = await startServer(t, { environment })
  const json = { username: 'ada', password: 'plain green teapot' }
  await server.addUser('ada', { password: json.password })
  for (const [forwarded, caller] of rows) {
    const headers = { 'x-forwarded-for': forwarded }
    const answer = await server.call('POST', '/auth/login', { json, headers })
    t.equal(answer.body.data.userInfo?.loginIp, caller, forwarded)
    const logged = server.log().match(/"path":"\/auth\/login","address":"[^"]*"/g)
    t.match(logged?.at(-1), `"address":"${caller}"`)
  }
  t.notMatch(server.log(), 'TRUST_PROXY')
})

test('a forwarded address from nobody who is trusted is told once, with what to do', async (t) => {
  for (const TRUST_PROXY of ['', '10.0.0.1']) {
    const server = await startServer(t, { environment: { TRUST_PROXY } })
    await server.call('GET', '/health/live')
    t.notMatch(server.log(), 'TRUST_PROXY')
    for (const forwarded of ['unknown', '203.0.113.7', '203.0.113.8']) {
      await server.call('GET', '/health/live', { headers: { 'x-forwarded-for': forwarded } })
    }
    const told = server
      .log()
      .split('\n')
      .filter((line) => line.includes('TRUST_PROXY'))
    t.equal(told.length, 1)
    t.match(JSON.parse(told[0] ?? '{}'), { level: 40, msg: /^X-Forwarded-For from 127\.0\.0\.1 is ignored/ })
  }
})
