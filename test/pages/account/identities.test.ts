import { test } from 'tap'
import { openAccount, says } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { startHostileProvider } from '../../helpers/peers/hostile-provider.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

for (const language of languages) {
  test(`an account at a provider is linked and unlinked, in ${language}`, { skip }, async (t) => {
    const port = await freePort()
    const provider = await startHostileProvider(t, {}, 'corporate', { now: () => server.clock.now() })
    const redirectUris = [`http://localhost:${port}/sign-in/return/corporate`]
    const settings = federation([{ ...provider.settings, name: 'Example Staff', redirectUris }], {
      unknownIdentity: 'refuse',
    })
    const server = await startServer(t, { port, settings })
    await server.addUser('alice')
    const opening = { language, name: 'identities' }
    const { words, page, origin, ...view } = await openAccount(t, server, '/account/identities', opening)
    await page.route(`${provider.issuer}/**`, async (route) => {
      const query = new URLSearchParams(provider.visit(route.request().url()))
      await route.fulfill({ status: 302, headers: { location: `${redirectUris[0] ?? ''}?${query.toString()}` } })
    })
    await page.getByText(words['noneLinked']).waitFor()
    await view.check({ title: words['identities'], focus: 'body' })
    await page.getByRole('button', { name: /Example Staff/ }).click()
    await page.getByRole('button', { name: words['unlinkThe']('Example Staff') }).waitFor()
    t.equal(page.url(), `${origin}/account/identities`, 'no code stays in the address')
    t.strictSame(await page.evaluate<string[]>('Object.keys(sessionStorage)'), [], 'nothing is kept')
    t.equal(await page.getByRole('button', { name: /Example Staff/ }).count(), 1, 'it is linked once')
    const { accessToken: token } = await server.signIn('alice', userPassword)
    const linked = async () => (await server.call('GET', '/social/bind', { token })).body.data.length
    t.equal(await linked(), 1)
    await says(page, words['linkedNow'])
    await view.check({ title: words['identities'], focus: 'p' })
    await page.getByRole('button', { name: words['unlinkThe']('Example Staff') }).click()
    await page.getByText(words['noneLinked']).waitFor()
    await says(page, words['unlinked'])
    await view.check({ title: words['identities'], focus: 'p' })
    t.equal(await linked(), 0)
    view.hosts.delete(new URL(provider.issuer).host)
    view.end()
  })
}

test('what another page has brought back from a provider is not linked', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { words, page } = await openAccount(t, server, '/account', { name: 'foreign', refusals: 1 })
  const begun = { platform: 'corporate', code: 'x', state: 'corporate_x', iss: null }
  await page.evaluate(`sessionStorage.setItem('rollcall-linking', ${JSON.stringify(JSON.stringify(begun))})`)
  await page.goto(page.url().replace('/account', '/account/identities'))
  t.equal(await page.getByRole('alert').innerText(), words['linkingFailed'])
})
