import { test } from 'tap'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { createCli } from '../../../test/helpers/processes/cli.js'
import { knownApplications, type KnownApplication } from '../shared/known.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { startProvider } from './start-provider.js'

interface OpenApi {
  tags: { name: string }[]
  paths: Record<
    string,
    Record<
      string,
      {
        tags: string[]
        requestBody?: { content: object }
        responses: Record<string, { description: string }>
      }
    >
  >
}

const page = 'docs/single-sign-on.md'
const blocks = codeBlocksOf(readDocument(page))
const [settings, add] = blocks.map(({ code }) => code)

test('the settings and the command of the document work, and the addresses that it names are those of the service', async (t) => {
  const server = await startServer(t, { settings: JSON.parse(settings ?? '') as object as never })
  const { body } = await server.call('GET', '/.well-known/openid-configuration')
  const metadata = body as unknown as Record<string, string>
  const told = [...readDocument(page).matchAll(/\| `(https:\/\/id\.example\.com\/[^`]+)` /g)].map(([, url]) => url)
  t.same(told, [
    metadata['authorization_endpoint'],
    metadata['token_endpoint'],
    metadata['userinfo_endpoint'],
    metadata['revocation_endpoint'],
    metadata['jwks_uri'],
    'https://id.example.com/auth/introspect',
  ])
  const cli = await createCli(t)
  t.match(await cli.done((add ?? '').trim().replace('npx rollcall ', '')), /client secret/)
})

test('each configuration of the document starts, and its services are those for which applications get tokens', async (t) => {
  const shown = blocks.filter(({ language }) => language === 'json').map(({ code }) => JSON.parse(code) as object)
  t.equal(shown.length, 2)
  for (const one of shown) await startServer(t, { settings: one as never })
})

test('the claims that the document names are those of the service', (t) => {
  const rows = [...readDocument(page).matchAll(/^\| `(openid|profile|email|phone|groups|tenant)` +\| (.*) \|$/gm)]
  t.equal(rows.length, 6)
  t.end()
})

test('the applications that are known are in the document as they are filled in', (t) => {
  const rows = [...readDocument(page).matchAll(/^\| `([\w-]+)` +\| ([^|]*) \| ([^|]*) \| (\w+) +\| (\w+) +\|$/gm)]
  const told = rows.map(([, key, name, paths, pkce, refresh]) => [key, name?.trim(), paths?.trim(), pkce, refresh])
  const known: Record<string, KnownApplication> = knownApplications
  const expected = Object.entries(known).map(
    ([key, { name, redirectPaths, pkce = 'required', refreshTokens = 'none' }]) => [
      ...[key, name],
      redirectPaths.map((path) => (path === '' ? 'itself' : `\`/${path}\``)).join(', '),
      ...[pkce, refreshTokens],
    ],
  )
  t.same(told, expected)
  t.end()
})

test('for each application that is known the document says what to set on its side', (t) => {
  const rows = [...readDocument(page).matchAll(/^\| `([\w-]+)` +\| ([^|]+) \| ([^|]+) \|$/gm)]
  const told = new Map(rows.map(([, key = '', , settings = '']) => [key, settings]))
  for (const key of Object.keys(knownApplications)) t.match(told.get(key), /\w/, key)
  t.end()
})

test('the OpenAPI document has what applications send, under a tag of its own, as their standards have it', async (t) => {
  const { server } = await startProvider(t)
  const document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as OpenApi
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags.includes('protocol') ? [{ name: `${method.toUpperCase()} ${path}`, ...operation }] : [],
    ),
  )
  t.same(operations.map(({ name }) => name).toSorted(), [
    ...['GET /oidc/authorize', 'GET /oidc/logout', 'GET /oidc/userinfo'],
    ...['POST /oidc/authorize', 'POST /oidc/revoke', 'POST /oidc/token'],
  ])
  t.ok(document.tags.some(({ name }) => name === 'protocol'))
  const written = JSON.stringify(operations)
  for (const word of ['timestamp', 'Problem', 'X-Request-Id', 'examples/']) t.notMatch(written, word)
  const token = operations.find(({ name }) => name === 'POST /oidc/token')
  t.same(Object.keys(token?.requestBody?.content ?? {}), ['application/x-www-form-urlencoded'])
  t.match(token?.responses['200'], { content: { 'application/json': { schema: { properties: { id_token: {} } } } } })
  for (const { responses } of operations)
    for (const { description } of Object.values(responses)) t.match(description, /^[A-Z]/)
  const off = await startServer(t)
  t.notMatch(await (await fetch(`${off.origin}/openapi.json`)).text(), '/oidc/')
})
