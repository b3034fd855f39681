import { test } from 'tap'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { createCli } from '../../../test/helpers/processes/cli.js'
import { knownApplications, type KnownApplication } from '../shared/known.js'
import { startServer } from '../../../test/helpers/service/server.js'

const page = 'docs/single-sign-on.md'
const [settings, add] = codeBlocksOf(readDocument(page)).map(({ code }) => code)

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
