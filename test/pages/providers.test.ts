import { test, type Test } from 'tap'
import { skip } from '../helpers/browser/browser.js'
import { languages, openPage, type Language } from '../helpers/browser/pages.js'
import { startHostileProvider } from '../helpers/peers/hostile-provider.js'
import { federation } from '../helpers/peers/openid-provider.js'
import { freePort } from '../helpers/processes/free-port.js'
import { startServer } from '../helpers/service/server.js'

/** A server whose page of return is a redirect address, and an honest provider at which `alice` is signed in. */
const start = async (t: Test, language: Language, refusals = 0) => {
  const port = await freePort()
  const provider = await startHostileProvider(t, {}, 'corporate', { now: () => server.clock.now() })
  const redirectUris = [`http://localhost:${port}/sign-in/return/corporate`]
  const settings = federation([{ ...provider.settings, name: 'Example Staff', redirectUris }], {
    unknownIdentity: 'register',
  })
  const server = await startServer(t, { port, settings })
  const path = '/sign-in?next=/health/live?x=1'
  const view = await openPage(t, server, path, { language, name: 'provider', refusals })
  let more: Record<string, string> = {}
  await view.page.route(`${provider.issuer}/**`, async (route) => {
    const query = new URLSearchParams({ ...provider.visit(route.request().url()), ...more })
    await route.fulfill({ status: 302, headers: { location: `${redirectUris[0] ?? ''}?${query.toString()}` } })
  })
  return { ...view, provider, sendBack: (values: Record<string, string>) => void (more = values) }
}

for (const language of languages) {
  test(`an identity provider signs in, and the way goes on, in ${language}`, { skip }, async (t) => {
    const { page, words, origin, ...view } = await start(t, language)
    await view.check({ title: words['signIn'], focus: 'username' })
    await page.getByRole('button', { name: 'Example Staff' }).click()
    await page.waitForURL(`${origin}/health/live?x=1`)
    const stored = await page.evaluate<string[]>('Object.keys(sessionStorage)')
    t.notMatch(stored, ['rollcall-provider'], 'the verifier is not kept')
  })

  test(`what comes back from a provider to another browser signs nobody in, in ${language}`, { skip }, async (t) => {
    const { page, words, sendBack, ...view } = await start(t, language)
    sendBack({ state: 'corporate_of-somebody-else' })
    await page.getByRole('button', { name: 'Example Staff' }).click()
    await view.heading(words['notSignedIn'])
    t.match(await page.getByRole('alert').innerText(), words['returnUnbegun'])
    t.notMatch(page.url(), 'code=', 'the code has left the address')
    await view.check({ title: words['notSignedIn'], focus: 'h1' })
    await view.link(words['back'])
    await page.locator('[name=username]').waitFor()
  })
}
