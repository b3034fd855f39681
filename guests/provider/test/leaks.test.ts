import * as oidc from 'openid-client'
import { test } from 'tap'
import { databaseBytes } from '../../../test/helpers/databases/database.js'
import { userTypes } from '../../../schemas/user.js'
import { startProtected, wikiOrigin } from './start-protected.js'
import { startProvider } from './start-provider.js'

const notes = 'https://notes.example.com/mcp'

test('no code, token or secret that was used is in the database or in the log', async (t) => {
  const provider = { resources: [{ id: notes, name: 'Notes', scopes: ['notes:read'] }] }
  const { server, alice, addClient, connect, openBrowser, ask } = await startProvider(t, {
    settings: { provider: provider },
  })
  const { directory } = server.app.installation
  const bot = await server.operator.addUser({
    username: 'bot',
    userType: userTypes.service,
    forcePasswordChange: false,
  })
  const { secret = '' } = await addClient({ refreshTokens: 'session', resources: [notes], serviceAccount: bot.id })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const first = await ask(configuration)
  await browser.signIn()
  const { url: callback } = await browser.follow(first.url)
  const tokens = await first.exchange(callback)
  const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  const forNotes = await ask(configuration, { resource: notes })
  const { url: second } = await browser.follow(forNotes.url)
  const signed = await forNotes.exchange(second, { resource: notes })
  const machine = await oidc.clientCredentialsGrant(configuration, { resource: notes })
  await oidc.fetchUserInfo(configuration, refreshed.access_token, String(alice.id))
  await oidc.tokenRevocation(configuration, refreshed.access_token)
  const used: Record<string, string | null | undefined> = {
    'the secret of the application': secret,
    'a code': callback.searchParams.get('code'),
    'a verifier': first.verifier,
    'an access token': tokens.access_token,
    'a refresh token': tokens.refresh_token,
    'an ID token': tokens.id_token,
    'another access token': refreshed.access_token,
    'a token for a service': signed.access_token,
    'a token of a service account': machine.access_token,
  }
  const stored = (await databaseBytes(directory)).toString('latin1')
  for (const [name, text] of Object.entries(used)) {
    t.ok((text ?? '').length > 20, name)
    t.notOk(stored.includes(text ?? '?'), `the database does not hold ${name}`)
    t.notOk(server.log().includes(text ?? '?'), `the log does not show ${name}`)
  }
})

test('no cookie of a protected host, and nothing of the way to it, is in the database or in the log', async (t) => {
  const { server, openVisitor } = await startProtected(t, { environment: { LOG_LEVEL: 'trace' } })
  const visitor = openVisitor()
  const used: Record<string, string> = {}
  const keep = (name: string): void => {
    used[name] = [...visitor.jarOf('wiki.example.com').values()][0] ?? ''
  }
  await visitor.signIn()
  const begun = await visitor.send('GET', `${wikiOrigin}/.rollcall/sign-in`, {})
  keep('the key of the browser')
  const back = (await visitor.get(begun.headers.get('location') ?? '')).headers.get('location') ?? ''
  for (const name of ['code', 'state']) used[`the ${name}`] = new URL(back).searchParams.get(name) ?? ''
  t.equal((await visitor.send('GET', back, {})).status, 303)
  keep('the cookie')
  t.equal((await visitor.send('GET', `${wikiOrigin}/`, {})).status, 200)
  const stored = (await databaseBytes(server.app.installation.directory)).toString('latin1')
  for (const [name, text] of Object.entries(used)) {
    t.ok(text.length > 20, name)
    t.notOk(stored.includes(text), `the database does not hold ${name}`)
    t.notOk(server.log().includes(text), `the log does not show ${name}`)
  }
})
