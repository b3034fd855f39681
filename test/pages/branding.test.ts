import { test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { languages, openPage, wordsOf, startSignIn } from '../helpers/browser/pages.js'
import { freePort } from '../helpers/processes/free-port.js'
import { pageOrigin } from '../helpers/service/passkeys.js'
import { userPassword } from '../helpers/service/server.js'

const markup = '<img src=x onerror=alert(1)>{{7*7}}'
const wide = '国'.repeat(64)

for (const language of languages) {
  test(
    `names and branding with markup, bidi controls and wide characters are shown as text, in ${language}`,
    { skip },
    async (t) => {
      const branding = {
        systemName: `${markup}\u202eevil\u200b${wide}`,
        browserTitle: markup,
        copyrightInfo: `\u202e${markup}${wide}`,
        helpUrl: 'https://help.example.com/',
      }
      const server = await startSignIn(t, { settings: { branding } })
      await server.addUser('alice', { realName: markup })
      const { page, words, ...view } = await openPage(t, server, '/sign-in', { language, name: 'branding' })
      await view.check({ title: words['signIn'], focus: 'username' })
      t.equal(await page.title(), `${words['signIn'] as string} · ${markup}`)
      const text = await page.locator('h1').innerText()
      t.match(text, markup)
      t.match(text, '⟨U+202E⟩evil⟨U+200B⟩')
      t.equal(await page.locator('img').count(), 0, 'no markup has become an element')
      t.equal(await page.getByRole('link', { name: words.frame['help'] }).getAttribute('href'), branding.helpUrl)
      await view.signIn('alice', userPassword)
      await view.heading(words['doneHeading'])
      t.match(await page.locator('main').innerText(), markup)
      view.end()
    },
  )

  test(`a page at an address without encryption says what works there, in ${language}`, { skip }, async (t) => {
    const port = await freePort()
    // A name that is no loopback host, so that the browser does not trust it.
    const host = `http://rollcall.test:${port}`
    const settings = { captcha: { type: 'pow', mode: 'always', powCost: 10 }, passkeys: { rpId: 'localhost' } }
    const server = await startSignIn(t, { port, settings })
    const flags = ['--host-resolver-rules=MAP rollcall.test 127.0.0.1']
    const { page, words, ...view } = await openPage(t, server, '/sign-in', { language, name: 'insecure', host, flags })
    t.equal(await page.evaluate('isSecureContext'), false)
    t.match(await page.locator('.notice.warn').innerText(), words.frame['insecure'])
    t.equal(await page.getByRole('button', { name: words.frame['usePasskey'] }).count(), 0)
    await view.signIn('admin', 'anything')
    await page.getByRole('alert').waitFor()
    t.match(await page.getByRole('alert').innerText(), words.frame['insecureWork'])
    await view.check({ title: words['signIn'], focus: 'alert' })
  })
}

/** A color of the configuration and what the page shows. */
for (const [color, shown] of [
  ['#7a1f5c', '#7a1f5c'],
  ['#777777', '#757575'],
  ['#FFCC00', '#8e7200'],
  ['#ffffff', '#757575'],
] as const) {
  test(`of the color ${color} the page takes ${shown}, on which white text can be read`, { skip }, async (t) => {
    const server = await startSignIn(t, { settings: { branding: { color } } })
    const { page, ...view } = await openPage(t, server, '/sign-in', { name: `color-${color.slice(1)}` })
    const brand = await page.evaluate("document.documentElement.style.getPropertyValue('--brand')")
    t.equal(brand, shown)
    t.equal(server.log().includes(`white text cannot be read on ${color}, so ${shown} is used`), color !== shown)
    await view.check({ title: 'Sign in', focus: 'username' })
    view.end()
  })
}

test('a logo that the operator has configured is shown', { skip }, async (t) => {
  const data = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/%3E'
  const server = await startSignIn(t, { settings: { branding: { systemLogo: data, systemName: 'Example' } } })
  const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'logo' })
  t.equal(await page.locator('.logo').getAttribute('src'), data)
  view.end()
})

test('without script the page says that it needs it', { skip }, async (t) => {
  const server = await startSignIn(t)
  const { page, complaints } = await openBrowser(t)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.goto(`${pageOrigin(server)}/sign-in?lang=en`)
  t.match(await page.locator('noscript').innerText(), 'JavaScript')
  await page.goto(`${pageOrigin(server)}/sign-in?lang=zh`)
  t.match(await page.locator('noscript').innerText(), '启用')
  t.strictSame(complaints, [])
})

test('in a browser without passkeys and without the server the page says so', { skip }, async (t) => {
  const server = await startSignIn(t)
  const prepare = (page: { addInitScript: (text: string) => Promise<unknown> }) =>
    page.addInitScript('delete globalThis.PublicKeyCredential')
  const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'old-browser', prepare })
  const words = await wordsOf('en')
  t.match(await page.locator('.notice.warn').innerText(), words.frame['noPasskeys'])
  await view.check({ title: words['signIn'], focus: 'username' })
  await page.context().setOffline(true)
  await view.signIn('admin', 'anything')
  await page.getByRole('alert').waitFor()
  t.match(await page.getByRole('alert').innerText(), words.frame['offline'])
  await view.check({ title: words['signIn'], focus: 'alert' })
})
