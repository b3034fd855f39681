import { test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { send } from '../helpers/browser/swagger-ui.js'
import { strippingProxies } from '../helpers/processes/proxies.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

for (const { name, skip: whyNot, start } of strippingProxies) {
  test(
    `behind ${name}, which strips a prefix, a person gets to /docs and calls an operation`,
    { skip: skip || whyNot },
    async (t) => {
      const server = await startServer(t, { settings: { pages: { account: false } } })
      const port = await start(t, server.origin, '/iam')
      const base = `http://127.0.0.1:${port}/iam`
      const { page, complaints } = await openBrowser(t)
      page.setDefaultTimeout(120_000)
      const outside: string[] = []
      const called: string[] = []
      page.on('request', (request) => {
        called.push(request.url())
        if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('data:')) outside.push(request.url())
      })
      page.on('response', (response) => {
        if (response.status() >= 400) outside.push(`${response.status()} ${response.url()}`)
      })

      await page.goto(base)
      t.equal(page.url(), `${base}/`)
      const links = await page.getByRole('link').all()
      t.equal(links.length, 4)
      for (const link of links) {
        const address = new URL((await link.getAttribute('href')) ?? '', page.url()).href
        t.equal((await fetch(address, { headers: { accept: 'text/html' } })).status, 200, address)
      }
      await page.getByRole('link', { name: 'All endpoints' }).click()
      await page.locator('.opblock').first().waitFor()
      t.equal(page.url(), `${base}/docs/`)
      for (const path of ['/docs', '/docs?a=b', '/docs/?a=b']) {
        const { status, url } = await fetch(`${base}${path}`, { headers: { accept: 'text/html' } })
        t.same([status, url.split('?')[0]], [200, `${base}/docs/`], path)
      }

      t.equal((await send(page, 'getLoginConfig')).status, '200')
      t.ok(
        called.some((url) => url.startsWith(`${base}/auth/loginConfig`)),
        'the operation is called below the prefix',
      )

      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.locator('[name=username]').fill('admin')
      await page.locator('[name=password]').fill(adminPassword)
      await page.locator('form .primary').click()
      await page.waitForURL(`${base}/docs/**`)
      await page.locator('.btn.authorize.locked').waitFor()
      t.equal((await send(page, 'getUserPage')).status, '200', 'with the token of the page session')

      // The first page was asked for without its slash.
      t.same(
        outside.filter((url) => url !== base && !url.endsWith('/favicon.ico')),
        [],
        'nothing leaves the prefix',
      )
      t.same(
        complaints.filter((text) => !text.includes('favicon')),
        [],
      )
    },
  )
}
