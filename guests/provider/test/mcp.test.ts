import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { startRecipe } from '../../../test/helpers/documents/recipes.js'
import { createCli } from '../../../test/helpers/processes/cli.js'
import { changeSettings } from '../../../test/helpers/processes/doctor.js'
import { freePort } from '../../../test/helpers/processes/free-port.js'
import { root } from '../../../test/helpers/processes/project.js'
import { startDocuments } from './start-documents.js'
import { startProvider } from './start-provider.js'

const page = 'docs/recipes/mcp.md'
const [settings = '{}', , add = ''] = codeBlocksOf(readDocument(page)).map(({ code }) => code)
const sdk = join(root, 'test/fixtures/recipes/node_modules/@modelcontextprotocol/sdk')
const skip = existsSync(sdk) ? false : 'run npm ci --prefix test/fixtures/recipes'

/** What this test needs of the client of the SDK, which is installed beside the recipes only. */
interface Sdk {
  Client: new (about: object) => {
    connect: (transport: object) => Promise<void>
    callTool: (call: { name: string }) => Promise<unknown>
    close: () => Promise<void>
  }
  StreamableHTTPClientTransport: new (url: URL, options: object) => { finishAuth: (code: string) => Promise<void> }
}

const loadSdk = async (): Promise<Sdk> => {
  const load = async (file: string) => (await import(join(sdk, 'dist/esm/client', file))) as object
  return { ...(await load('index.js')), ...(await load('streamableHttp.js')) } as Sdk
}

/** An agent: where it keeps what it has been given, and where it sends people. */
const createAgent = (redirectUrl: string, given: { clientMetadataUrl: string } | { client: { client_id: string } }) => {
  const kept: Record<string, unknown> = 'client' in given ? { client: given.client } : {}
  return {
    kept,
    redirectUrl,
    ...('clientMetadataUrl' in given && { clientMetadataUrl: given.clientMetadataUrl }),
    clientMetadata: { client_name: 'Agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept['client'],
    saveClientInformation: (client: object) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: object) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url: URL) => void (kept['asked'] = url),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
  }
}

test(
  'docs/recipes/mcp.md: an agent of the official SDK calls a server in the name of a person',
  { skip },
  async (t) => {
    const { Client, StreamableHTTPClientTransport } = await loadSdk()
    const documents = await startDocuments(t)
    const redirectUrl = 'http://127.0.0.1:54321/callback'
    const id = documents.publish('/client.json', { client_name: 'Agent', redirect_uris: ['http://127.0.0.1/callback'] })
    const port = await freePort()
    const address = `http://localhost:${port}/mcp`
    const { provider } = JSON.parse(
      settings
        .replaceAll('https://notes.example.com/mcp', address)
        .replace('https://agent.example.com/client.json', id),
    ) as { provider: object }
    const { issuer, alice, addClient, openBrowser, answer } = await startProvider(t, {
      name: 'localhost',
      settings: { provider: { ...provider, allowPrivateAddresses: true } },
    })
    await startRecipe(
      t,
      { page, file: 'notes.mjs', command: [process.execPath, 'notes.mjs'] },
      { ROLLCALL: issuer, ADDRESS: address, NODE_ENV: 'production' },
      port,
    )
    await addClient({
      ...{ id: 'agent', name: 'Agent', type: 'native', redirectUris: ['http://127.0.0.1/callback'] },
      ...{ resources: [address], refreshTokens: 'session' },
    })
    const browser = openBrowser()
    const { accessToken: token } = await browser.signIn()

    for (const given of [{ clientMetadataUrl: id }, { client: { client_id: 'agent' } }]) {
      const agent = createAgent(redirectUrl, given)
      const call = async () => {
        const client = new Client({ name: 'agent', version: '1.0.0' })
        await client.connect(new StreamableHTTPClientTransport(new URL(address), { authProvider: agent }))
        const result = await client.callTool({ name: 'who' })
        await client.close()
        return result
      }
      t.match(await call().catch((error: unknown) => error), { name: 'Error', message: /Unauthorized/ })
      const { details, url: callback } = await answer(browser, agent.kept['asked'] as URL, { accept: true })
      t.match(details, {
        isDocument: 'clientMetadataUrl' in given,
        resources: [{ id: address, name: 'Notes', scopes: ['notes:read'] }],
      })
      t.equal(callback.origin + callback.pathname, redirectUrl)
      const transport = new StreamableHTTPClientTransport(new URL(address), { authProvider: agent })
      await transport.finishAuth(callback.searchParams.get('code') ?? '')
      const said = { content: [{ type: 'text', text: `the notes of user ${alice.id}` }] }
      t.match(await call(), said)

      // As if it had expired: the agent asks for another one by itself.
      const before = agent.kept['tokens'] as { access_token: string; refresh_token: string }
      agent.kept['tokens'] = { ...before, access_token: 'no longer valid' }
      t.match(await call(), said)
      t.not((agent.kept['tokens'] as { refresh_token: string }).refresh_token, before.refresh_token)

      // Neither a token of Rollcall nor one for another service is taken.
      const bare = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      t.equal(bare.status, 401)
      t.match(
        bare.headers.get('www-authenticate'),
        `resource_metadata="http://localhost:${port}/.well-known/oauth-protected-resource/mcp"`,
      )
      t.notMatch(await bare.text(), /eyJ/)
    }
  },
)

test('docs/recipes/mcp.md: its command registers an agent', async (t) => {
  const cli = await createCli(t)
  changeSettings(cli, JSON.parse(settings) as object)
  t.match(await cli.done(add.trim().replace('npx rollcall ', '')), /client id +agent/)
})
