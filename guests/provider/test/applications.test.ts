import { test } from 'tap'
import { fillSignIn, openPage } from '../../../test/helpers/browser/pages.js'
import { skip as skipBrowser } from '../../../test/helpers/browser/browser.js'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { startProvider } from './start-provider.js'
import { freePort, skips, startApache, startScript } from './applications/real.js'

const settings = { provider: { allowPrivateAddresses: true } }

/** The configuration of Apache in the document. */
const [site = ''] = codeBlocksOf(readDocument('docs/single-sign-on.md'))
  .filter(({ language }) => language === 'apache')
  .map(({ code }) => code)

for (const responseMode of ['query', 'form_post'])
  test(
    `Apache with mod_auth_openidc lets a role in and is told of the sign-out, by ${responseMode}`,
    { skip: skips.apache || skipBrowser },
    async (t) => {
      const started = await startProvider(t, { name: 'localhost', settings })
      const { server, issuer, addClient } = started
      const port = await freePort()
      const origin = `http://127.0.0.1:${port}`
      const { secret = '' } = await addClient({
        ...{
          id: 'wiki',
          name: 'Wiki',
          redirectUris: [`${origin}/oidc/callback`],
          postLogoutRedirectUris: [`${origin}/open/`],
        },
        backchannelLogoutUri: `${origin}/oidc/callback?logout=backchannel`,
      })
      const adapted = site
        .replace('https://id.example.com/', `${issuer}/`)
        .replaceAll('https://wiki.example.com', origin)
        .replace(/(OIDCClientSecret ).*/, `$1${secret}`)
      t.match(adapted, secret)
      await startApache(
        t,
        port,
        `${adapted}\nOIDCResponseMode ${responseMode}\nOIDCCookieSameSite ${responseMode === 'query' ? 'On' : 'Off'}\n`,
        {
          'index.html': '<!doctype html><title>Wiki</title><link rel="icon" href="data:,"><h1>the wiki</h1>',
          'open/index.html': '<!doctype html><title>Bye</title><link rel="icon" href="data:,"><h1>see you</h1>',
        },
      )
      await server.operator.addRole('staff', 'Staff', [])
      const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'apache', language: 'en' })
      await page.goto(`${origin}/`)
      await page.getByText('To go on to Wiki.').waitFor()
      await fillSignIn(page, 'alice', userPassword)
      await page.waitForURL(`${origin}/**`)
      t.notMatch(await page.content(), 'the wiki', 'without the role nobody is let in')
      await server.operator.assign('staff', 'alice')
      await page.context().clearCookies({ name: 'mod_auth_openidc_session' })
      await page.goto(`${origin}/`)
      await page.getByRole('heading', { name: 'the wiki' }).waitFor()

      const { accessToken: admin } = await server.signIn()
      const [session] = await server.app.db.sessions.live(started.alice.id, server.clock.now())
      expectSuccess(t, await server.call('DELETE', `/system/session/${session?.id ?? ''}`, { token: admin }))
      // With the cookies of the browser, but without one: to load a page can take longer than what is measured.
      const { request } = page.context()
      const isAsked = async () => (await request.get(`${origin}/`, { maxRedirects: 0 })).status() === 302
      const begin = Date.now()
      while (!(await isAsked()) && Date.now() - begin < 2000);
      t.ok(await isAsked(), 'a kick here is seen there within two seconds')
      await page.goto(`${origin}/`)
      await fillSignIn(page, 'alice', userPassword)
      await page.getByRole('heading', { name: 'the wiki' }).waitFor()
      await page.goto(`${origin}/oidc/callback?logout=${encodeURIComponent(`${origin}/open/`)}`)
      await page.getByRole('heading', { name: 'see you' }).waitFor()
      t.same(
        await server.app.db.sessions.live(started.alice.id, server.clock.now()),
        [],
        'a sign-out there ends the session here',
      )
      view.complaints.splice(0)
    },
  )

test('Authlib signs people in, and is refused when the session has ended', { skip: skips.python }, async (t) => {
  const { server, issuer, alice, addClient, openBrowser } = await startProvider(t)
  const port = await freePort()
  const { secret = '' } = await addClient({ redirectUris: [`http://127.0.0.1:${port}/back`] })
  const variables = { ISSUER: issuer, CLIENT_ID: 'grafana', CLIENT_SECRET: secret, AUTHLIB_INSECURE_TRANSPORT: '1' }
  const origin = await startScript(t, '/usr/bin/python3', 'flask-login.py', port, variables)
  await server.operator.addRole('staff', 'Staff', [])
  await server.operator.assign('staff', 'alice')
  const browser = openBrowser()
  const { accessToken: token } = await browser.signIn()
  const { response } = await browser.follow(`${origin}/login`, [origin])
  const told = { sub: String(alice.id), preferred_username: 'alice', groups: ['staff'] }
  t.match(await response?.json(), { claims: told, userinfo: told })
  t.same(await (await browser.get(`${origin}/userinfo`)).json(), { status: 200 })
  await server.call('POST', '/auth/logout', { token })
  t.same(await (await browser.get(`${origin}/userinfo`)).json(), { status: 401 })
})

test('OmniAuth, as GitLab and Mastodon have it, signs people in', { skip: skips.ruby }, async (t) => {
  const { server, issuer, addClient, openBrowser } = await startProvider(t)
  const port = await freePort()
  // This version does not speak PKCE.
  const { secret = '' } = await addClient({
    pkce: 'optional',
    redirectUris: [`http://127.0.0.1:${port}/users/auth/openid_connect/callback`],
  })
  const variables = { ISSUER: issuer, CLIENT_ID: 'grafana', CLIENT_SECRET: secret }
  const origin = await startScript(t, '/usr/bin/ruby', 'rack-login.rb', port, variables)
  await server.operator.addRole('staff', 'Staff', [])
  await server.operator.assign('staff', 'alice')
  const browser = openBrowser()
  await browser.signIn()
  const { response } = await browser.follow(`${origin}/users/auth/openid_connect`, [origin])
  t.match(await response?.json(), { uid: 'alice', raw: { preferred_username: 'alice', groups: ['staff'] } })
})
