import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { test, type Test } from 'tap'
import type { AuthUrl } from '../../../schemas/social.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import {
  startHostileProvider,
  type Fault,
  type HostileProvider,
  type Part,
  type Place,
  type Takeover,
} from '../../helpers/peers/hostile-provider.js'
import { startPeer } from '../../helpers/peers/http-peer.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type Answer } from '../../helpers/service/server.js'

const places: Place[] = ['discovery', 'token', 'keys', 'person']
/** Without a name in the ID token, the person is asked for too. */
const claims = (honest: Part): Part => ({ ...honest, preferred_username: undefined })
const megabyte = 1024 * 1024

/** One server with a provider for each place, at which `take` answers. */
const start = async (t: Test, take: Takeover, more: object = {}) => {
  const providers: { place: Place; provider: HostileProvider }[] = []
  for (const place of places) {
    const fault: Fault = { claims, take: { [place]: take } }
    providers.push({ place, provider: await startHostileProvider(t, fault, place) })
  }
  const settings = federation(
    providers.map(({ provider }) => provider.settings),
    { unknownIdentity: 'register', ...more },
  )
  const server = await startServer(t, { settings, time: Date.now() })

  /** Goes as far as it gets; resolves to the first refusal, or to the ticket. */
  const enter = async ({ place, provider }: (typeof providers)[number]): Promise<Answer> => {
    const begun = await server.call<AuthUrl>('GET', `/social/authUrl/${place}`)
    if (begun.status !== 200) return begun
    const json = { platform: place, ...provider.visit(begun.body.data.authUrl) }
    return server.call('POST', '/social/callback', { json })
  }
  /** Everywhere an answer within the timeout, with nothing secret said. */
  const expectUnavailable = async (t: Test, longest: number) => {
    await Promise.all(
      providers.map(async (one) => {
        const begin = performance.now()
        const answer = await enter(one)
        const seconds = (performance.now() - begin) / 1000
        // Without the person only the name is missing.
        if (one.place === 'person') expectSuccess(t, answer)
        else {
          expectProblem(t, answer, 'unavailable')
          t.match(answer.headers.get('retry-after'), /^\d+$/)
        }
        t.ok(seconds < longest, `${one.place}: answered after ${seconds.toFixed(1)} s`)
        const asked = one.provider.received.filter(({ url }) => url.includes(urls[one.place]))
        t.equal(asked.length, 1, `${one.place}: was asked, once`)
      }),
    )
    for (const { provider } of providers) {
      for (const secret of provider.secrets) t.notOk(server.log().includes(secret.slice(0, 10)), 'nothing secret')
    }
  }
  return { server, providers, enter, expectUnavailable }
}

const urls: Record<Place, string> = {
  discovery: 'openid-configuration',
  token: '/token',
  keys: '/keys',
  person: '/person',
}

test('O6: a provider that hangs is given up after the timeout', async (t) => {
  const { expectUnavailable } = await start(t, () => undefined, { timeout: 2 })
  await expectUnavailable(t, 15)
})

test('O6: a provider that begins to answer and then hangs is given up after the timeout', async (t) => {
  const drip: Takeover = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"')
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  }
  const { expectUnavailable } = await start(t, drip, { timeout: 2 })
  await expectUnavailable(t, 15)
})

test('O6: while one provider hangs, others and the rest of the service answer', async (t) => {
  const held: ServerResponse[] = []
  const hold: Takeover = (_request, response) => void held.push(response)
  const hanging = await startHostileProvider(t, { take: { discovery: hold } }, 'hanging')
  const honest = await startHostileProvider(t, {}, 'honest')
  const settings = federation([hanging.settings, honest.settings], { timeout: 60 })
  const server = await startServer(t, { settings })
  const stuck = Array.from({ length: 40 }, () => server.call('GET', '/social/authUrl/hanging'))
  await eventually('the provider to be asked', () => held[0])
  expectSuccess(t, await server.call('GET', '/social/authUrl/honest'))
  expectSuccess(t, await server.call('GET', '/health/ready'))
  t.equal(held.length, 1, 'those who wait at the same moment ask once')
  for (const response of held) response.destroy()
  for (const answer of await Promise.all(stuck)) expectProblem(t, answer, 'unavailable')
})

test('O6: an answer of 50 MB is not taken in', async (t) => {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const total = 50 * megabyte
  const zipped = gzipSync(Buffer.alloc(total, ' '))
  /** Bytes that left the provider. */
  let sent = 0
  const pour = async (response: ServerResponse) => {
    for (let bytes = 0; bytes < total && !response.destroyed; bytes += chunk.length) {
      sent += chunk.length
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end()
  }
  const headers = { 'content-type': 'application/json' }
  const rows: { name: string; take: Takeover }[] = [
    { name: 'in chunks', take: (_request, response) => void pour(response.writeHead(200, headers)) },
    {
      name: 'with its length in front',
      take: (_request, response) => void pour(response.writeHead(200, { ...headers, 'content-length': total })),
    },
    {
      name: 'as a refusal',
      take: (_request, response) => void pour(response.writeHead(400, headers)),
    },
  ]
  for (const { name, take } of rows) {
    sent = 0
    const { expectUnavailable, server } = await start(t, take)
    await expectUnavailable(t, 20)
    t.ok(sent < 6 * places.length * megabyte, `${name}: no more than the buffers on the way hold, ${sent} bytes`)
    await server.app.close()
  }

  t.test('compressed, it stays as small as it came', async (t) => {
    const compressed: Takeover = (request, response) => {
      t.equal(request.headers['accept-encoding'], 'identity')
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(zipped)
    }
    const { providers, enter } = await start(t, compressed)
    for (const one of providers) {
      const before = process.memoryUsage()
      const answer = await enter(one)
      const after = process.memoryUsage()
      if (one.place === 'person') expectSuccess(t, answer)
      else expectProblem(t, answer, one.place === 'discovery' ? 'unavailable' : 'invalid_grant')
      const growth = after.external + after.heapUsed - before.external - before.heapUsed
      t.ok(growth < 25 * megabyte, `${one.place}: memory grew by ${growth}`)
    }
  })
})

test('O6: nobody follows a provider that redirects', async (t) => {
  const trap = await startPeer(t, () => ({ status: 200, body: '{}' }))
  for (const status of [301, 302, 303, 307, 308]) {
    const redirect: Takeover = (_request, response) =>
      void response.writeHead(status, { location: `${trap.url}/metadata` }).end()
    const { expectUnavailable, server } = await start(t, redirect)
    await expectUnavailable(t, 20)
    await server.app.close()
  }
  t.same(trap.received, [], 'the other server has seen nothing')
})

test('O6: a connection that breaks is an outage', async (t) => {
  const rows: Takeover[] = [
    (request) => void request.socket.resetAndDestroy(),
    (_request, response) =>
      void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
    (request) => void request.socket.end('This is not HTTP\r\n\r\n'),
    (request) => void request.socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n{}`),
  ]
  for (const take of rows) {
    const { expectUnavailable, server } = await start(t, take)
    await expectUnavailable(t, 20)
    await server.app.close()
  }
})

test('O6: a provider that is not there is an outage, and works again as soon as it is back', async (t) => {
  let isDown = true
  const { providers, enter } = await start(t, (_request, response, self) => {
    if (isDown) response.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(honestMetadata(self.issuer))
  })
  const [discovery] = providers
  if (!discovery) throw new Error('there is no provider')
  expectProblem(t, await enter(discovery), 'unavailable')
  isDown = false
  expectSuccess(t, await enter(discovery))
})

const honestMetadata = (issuer: string) =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['ES256'],
  })
