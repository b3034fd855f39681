import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { root } from '../helpers/processes/project.js'
import { startServer, type ServerOptions, type TestServer } from '../helpers/service/server.js'
import { request, sendBytes } from '../helpers/load/socket.js'

const serverOf = (text: string) => (JSON.parse(text) as { servers: { url: string }[] }).servers.map(({ url }) => url)

test('the document that is served has an address that programs can call, and the committed one that of a first start', async (t) => {
  t.same(serverOf(readFileSync(join(root, 'openapi.json'), 'utf8')), ['http://127.0.0.1:3000'])
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'id.example.com:8443' }
  const ask = (headers: Record<string, string>) => (server: TestServer) => ({ server, headers })
  const rows: [sentence: string, options: ServerOptions, asked: ReturnType<typeof ask>, url: string | undefined][] = [
    ['the address of the request', {}, ask({}), undefined],
    ['without trust a proxy says nothing', {}, ask(forwarded), undefined],
    [
      'the address that a trusted proxy was asked for',
      { environment: { TRUST_PROXY: '127.0.0.1' } },
      ask(forwarded),
      'https://id.example.com:8443',
    ],
    ['publicUrl', { settings: { publicUrl: 'https://id.example.com/iam' } }, ask({}), 'https://id.example.com/iam'],
    [
      'publicUrl with a slash',
      { settings: { publicUrl: 'https://id.example.com/iam/' } },
      ask({}),
      'https://id.example.com/iam',
    ],
    ['an issuer that is a URL', { settings: { issuer: 'https://id.example.com/' } }, ask({}), 'https://id.example.com'],
    [
      'publicUrl before the issuer',
      { settings: { publicUrl: 'http://localhost:8080', issuer: 'https://id.example.com' } },
      ask({}),
      'http://localhost:8080',
    ],
  ]
  for (const [sentence, options, asked, url] of rows) {
    await t.test(sentence, async (t) => {
      const server = await startServer(t, options)
      const { headers } = asked(server)
      t.same(serverOf((await server.call('GET', '/openapi.json', { headers })).text), [url ?? server.origin])
      t.same(
        serverOf((await server.call('GET', '/docs/json', { headers })).text),
        ['..'],
        'Swagger UI stays where it is',
      )
    })
  }
})

test('a host that is no part of an address is not in the document', async (t) => {
  const server = await startServer(t)
  for (const Host of ['a/b', 'a b', '[', 'user@host', 'x?y', '']) {
    const { text } = await sendBytes(server, request('GET /openapi.json', { Host }))
    t.same(serverOf(text), ['./'], Host)
  }
})

test('a document that has not changed is not sent again', async (t) => {
  const server = await startServer(t)
  for (const path of ['/openapi.json', '/openapi-compat.json', '/docs/json']) {
    const first = await server.call('GET', path)
    const etag = first.headers.get('etag') ?? ''
    t.match(etag, /^"[\w-]{43}"$/, path)
    t.equal(first.headers.get('cache-control'), 'no-cache', path)
    const again = await fetch(`${server.origin}${path}`, { headers: { 'if-none-match': `"other", ${etag}` } })
    t.equal(again.status, 304, path)
    t.equal(await again.text(), '', path)
    const elsewhere = await sendBytes(server, request(`GET ${path}`, { Host: 'id.example.com', 'If-None-Match': etag }))
    t.equal(elsewhere.status, path === '/docs/json' ? 304 : 200, `${path}: with another address it is another document`)
  }
  const yaml = await fetch(`${server.origin}/docs/yaml`, { redirect: 'manual' })
  t.same([yaml.status, yaml.headers.get('location')], [302, 'json'], 'JSON is YAML, too')
})
