import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { createOutbound, OutboundError } from '../../lib/outbound.js'
import { expectProblem } from '../helpers/service/expect.js'
import { startHostileProvider } from '../helpers/peers/hostile-provider.js'
import { startPeer } from '../helpers/peers/http-peer.js'
import { startServer } from '../helpers/service/server.js'

const make = (t: Test, more: Partial<Parameters<typeof createOutbound>[0]> = {}) => {
  const outbound = createOutbound({ timeout: 2, allowHttp: false, allowPrivateAddresses: false, ...more })
  t.teardown(() => outbound.close())
  return outbound
}

/** Counts connections to all addresses of this machine, whatever is said on them. */
const startListener = async (t: Test) => {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  server.listen(0, '::')
  await once(server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

const hosts = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '192.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

test('O6: private, loopback, link-local and metadata addresses are not spoken to, however they are written', async (t) => {
  const listener = await startListener(t)
  for (const scheme of ['http', 'https']) {
    const outbound = make(t, { allowHttp: true })
    for (const host of hosts) {
      const address = `${scheme}://${host}:${listener.port}/secret?code=secret`
      const error = await outbound.fetch(address).catch((error: unknown) => error)
      t.ok(error instanceof OutboundError, address)
      t.match((error as Error).message, /private address/, address)
      t.notMatch((error as Error).message, 'secret', 'the address may carry secrets')
    }
  }
  t.equal(listener.connections(), 0, 'nobody has connected')
  await t.rejects(make(t, { allowHttp: true, allowPrivateAddresses: true }).fetch(`http://localhost:${listener.port}`))
  t.equal(listener.connections(), 1, 'the listener counts')
})

test('O6: a name that does not resolve is an outage, and nothing worse', async (t) => {
  for (const allowPrivateAddresses of [false, true]) {
    const outbound = make(t, { allowPrivateAddresses })
    const error = await outbound.fetch('https://provider.invalid/').catch((error: unknown) => error)
    t.ok(error instanceof OutboundError, String(error))
    t.match((error as Error).message, /provider\.invalid/)
  }
})

test('O6: public addresses are not refused before they are tried', (t) => {
  const outbound = make(t)
  for (const host of ['8.8.8.8', '[2606:4700::1111]', '172.32.0.1', '11.0.0.1', 'github.com']) {
    t.doesNotThrow(() => outbound.check(new URL(`https://${host}/`)), host)
  }
  t.end()
})

test('O6: allowed, private addresses are spoken to', async (t) => {
  const peer = await startPeer(t, () => ({ status: 200, body: '{"a":1}' }))
  const answer = await make(t, { allowHttp: true, allowPrivateAddresses: true }).fetch(peer.url)
  t.same(await answer.json(), { a: 1 })
  const [request] = peer.received
  t.equal(request?.headers['user-agent'], 'rollcall')
  t.equal(request?.headers['accept-encoding'], 'identity')
})

test('O6: only https is spoken, http only where it is allowed, anything else never', async (t) => {
  const peer = await startPeer(t, () => ({ status: 200, body: '{}' }))
  await t.rejects(make(t, { allowPrivateAddresses: true }).fetch(peer.url), /is not https/)
  for (const allowHttp of [false, true]) {
    const outbound = make(t, { allowHttp, allowPrivateAddresses: true })
    for (const address of [
      'file:///etc/passwd',
      'data:,x',
      'ftp://example.com/',
      'ws://example.com/',
      'javascript:1',
    ]) {
      await t.rejects(outbound.fetch(address), /is not https/, address)
    }
  }
  t.same(peer.received, [])
})

test('O6: a provider at a private address is not reached unless that is allowed', async (t) => {
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    const twin = await startHostileProvider(t)
    const issuer = `http://${host}:${new URL(twin.issuer).port}`
    const settings = { federation: { allowHttp: true, providers: [{ ...twin.settings, issuer }] } }
    const server = await startServer(t, { settings })
    const answer = await server.call('GET', '/social/authUrl/corporate')
    expectProblem(t, answer, 'unavailable')
    t.match(answer.headers.get('retry-after'), /^\d+$/)
    t.same(twin.received, [], 'the provider was not asked')
    t.notMatch(answer.text, /private|127|localhost/, 'nobody outside learns why')
    t.match(server.log(), 'private address', 'the operator does')
    await server.app.close()
  }
})

test('O6: the mini-programs and plain OAuth of a private address are not reached either', async (t) => {
  const peer = await startPeer(t, () => ({ status: 200, body: '{}' }))
  const shared = { clientId: 'app', clientSecret: 'secret-of-the-app', baseUrl: peer.url }
  const redirectUris = ['https://console.example.com/social']
  const providers = [
    { ...shared, platform: 'github', kind: 'github', redirectUris },
    { ...shared, platform: 'gitee', kind: 'gitee', redirectUris },
    { ...shared, platform: 'wechat', kind: 'wechat', redirectUris },
    { ...shared, platform: 'mini', kind: 'wechatMiniProgram' },
  ]
  const server = await startServer(t, { settings: { federation: { allowHttp: true, providers } } })
  for (const platform of ['github', 'gitee', 'wechat']) {
    const { body } = await server.call('GET', `/social/authUrl/${platform}`)
    const json = { platform, code: 'a-code', state: body.data.state }
    expectProblem(t, await server.call('POST', '/social/callback', { json }), 'unavailable')
  }
  const json = { authType: 'oauth2', userClient: 'wechat', authCode: 'a-code' }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'unavailable')
  t.same(peer.received, [])
  t.notMatch(server.log(), /secret-of-the-app|a-code/)
})
