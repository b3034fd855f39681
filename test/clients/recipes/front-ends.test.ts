import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { test, type Test } from 'tap'
import { openBrowser, skip as withoutBrowser } from '../../helpers/browser/browser.js'
import { echo } from '../../helpers/service/captcha.js'
import { bundleRecipe, servePage } from '../../helpers/browser/recipe-pages.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const skip = existsSync('test/fixtures/recipes/node_modules/vite')
  ? withoutBrowser
  : 'run npm ci --prefix test/fixtures/recipes'

/** What the templates of Vite have beside the files of the pages. */
const frontEnds = {
  React: { page: 'docs/recipes/react.md', plugin: 'react', element: 'root', main: 'src/main.jsx', template: {} },
  Vue: {
    page: 'docs/recipes/vue.md',
    plugin: 'vue',
    element: 'app',
    main: 'src/main.js',
    template: {
      'src/main.js': `import { createApp } from 'vue'\nimport App from './App.vue'\ncreateApp(App).mount('#app')\n`,
    },
  },
}

const openFrontEnd = async (t: Test, name: keyof typeof frontEnds) => {
  const site = await servePage(t)
  const environment = { ...echo, CORS_ORIGINS: site.origin }
  const server = await startServer(t, { time: Date.now(), environment })
  site.show(bundleRecipe(t, frontEnds[name], server.origin), server.origin)
  const { page, complaints, hosts } = await openBrowser(t)
  await server.addUser('alice', { forcePasswordChange: true })
  await page.goto(site.origin)
  return { server, page, complaints, hosts, site }
}

const token = (page: Page) => page.evaluate(() => (globalThis as any).sessionStorage.getItem('token') as string | null)
const fill = (page: Page, fields: Record<string, string>) =>
  Object.entries(fields).reduce<Promise<void>>(
    (before, [label, value]) => before.then(() => page.getByLabel(label, { exact: true }).fill(value)),
    Promise.resolve(),
  )
/** Presses a button and waits for the answer of that request. */
const press = async (page: Page, name: string, path: string) => {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith(path) && response.request().method() !== 'OPTIONS',
  )
  await page.getByRole('button', { name }).click()
  return answered
}
const said = (page: Page, text: RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor()

for (const name of ['React', 'Vue'] as const) {
  test(`the page in ${name} signs in, asks for what Rollcall asks for, and signs out`, { skip }, async (t) => {
    const { server, page, complaints, hosts, site } = await openFrontEnd(t, name)

    await t.test('a wrong password is refused, and the third asks for a captcha', async (t) => {
      for (const failure of [1, 2, 3]) {
        await fill(page, { 'User name': 'alice', Password: `wrong ${failure}` })
        t.equal((await press(page, 'Sign in', '/auth/login')).status(), 400)
        await said(page, /wrong user name or password/i)
        t.equal(await token(page), null)
        t.equal(await page.getByRole('img').count(), 0, 'no captcha yet')
      }
      await fill(page, { Password: userPassword })
      const first = await press(page, 'Sign in', '/auth/captcha')
      await page.getByRole('img').waitFor()
      t.equal(await token(page), null)
      // A wrong answer uses it up, and another picture comes.
      await fill(page, { Letters: 'x' })
      const second = await press(page, 'Sign in', '/auth/captcha')
      const [one, other] = [(await first.json()).data, (await second.json()).data]
      t.not(one.codeKey, other.codeKey)
      await page.locator(`img[src="${other.image}"]`).waitFor()
      t.equal(await page.getByLabel('Letters').inputValue(), '', 'the old answer is gone')
      await fill(page, { Letters: other.code })
      t.equal((await press(page, 'Sign in', '/auth/login')).status(), 200)
      t.match(await token(page), /^eyJ/)
    })

    await t.test('a password that must be changed is changed first', async (t) => {
      await page.getByText('You must change your password first').waitFor()
      t.equal(await page.getByRole('heading', { name: 'Hello' }).count(), 0)
      await fill(page, { 'Old password': userPassword, 'New password': 'short' })
      t.equal((await press(page, 'Change it', '/auth/changePassword')).status(), 400)
      await said(page, /at least|characters/i)
      await page.reload()
      await page.getByText('You must change your password first').waitFor()
      await fill(page, { 'Old password': userPassword, 'New password': 'a brand new kettle' })
      t.equal((await press(page, 'Change it', '/auth/changePassword')).status(), 200)
      await page.getByRole('heading', { name: 'Hello alice' }).waitFor()
    })

    await t.test(
      'a reload stays signed in, an expired token is exchanged, and an ended session shows the form',
      async (t) => {
        const before = await token(page)
        server.clock.advance(1801)
        await page.reload()
        await page.getByRole('heading', { name: 'Hello alice' }).waitFor()
        t.not(await token(page), before)
        await server.call('POST', '/auth/logout', { token: (await token(page)) ?? '' })
        await page.reload()
        await page.getByLabel('User name').waitFor()
        t.equal(await token(page), null)
      },
    )

    await t.test('signing out ends the session and forgets the token', async (t) => {
      await fill(page, { 'User name': 'alice', Password: 'a brand new kettle' })
      await press(page, 'Sign in', '/auth/login')
      await page.getByRole('heading', { name: 'Hello alice' }).waitFor()
      const kept = (await token(page)) ?? ''
      await press(page, 'Sign out', '/auth/logout')
      await page.getByLabel('User name').waitFor()
      t.equal(await token(page), null)
      t.equal((await server.call('GET', '/auth/userInfo', { token: kept })).status, 401)
    })

    t.same(
      complaints.filter((text) => !/\b40[014]\b/.test(text)),
      [],
    )
    t.same(
      [...hosts].filter((host) => host !== '').sort(),
      [new URL(site.origin).host, new URL(server.origin).host].sort(),
    )
  })
}
