import { test } from 'tap'
import { skip } from '../helpers/browser/browser.js'
import { openPage, wordsOf } from '../helpers/browser/pages.js'
import { strippingProxies } from '../helpers/processes/proxies.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

for (const { name, skip: whyNot, start } of strippingProxies) {
  test(
    `behind ${name}, which strips a prefix, each page opens, reloads and signs in, with no setting`,
    { skip: skip || whyNot },
    async (t) => {
      const server = await startServer(t, { settings: { registration: { mode: 'open' }, sms: { sender: 'log' } } })
      const port = await start(t, server.origin, '/iam/v1')
      const base = `http://localhost:${port}/iam/v1`
      const { page, words, ...view } = await openPage(t, server, '/sign-in', { name: `behind-${name}`, host: base })
      const outside: string[] = []
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) outside.push(url)
      })
      await view.link(words['register'])
      await view.heading(words['registerHeading'])
      t.equal(page.url(), `${base}/sign-in/register`)
      await page.reload()
      await view.heading(words['registerHeading'])
      await page.goto(`${base}/sign-in/register/?tenant=1`)
      await view.heading(words['registerHeading'])
      t.equal(page.url(), `${base}/sign-in/register?tenant=1`)
      await view.link(words['back'])
      const [account, all] = [await wordsOf('en', 'account'), (await wordsOf('en', 'console')) as any]
      await view.signIn('admin', adminPassword)
      await view.heading(all.overview.title)
      t.equal(page.url(), `${base}/console`)
      await view.link(all.common.account)
      await view.heading(account['profile'])
      t.equal(page.url(), `${base}/account`)
      await view.link(account['security'])
      await view.heading(account['security'])
      await page.reload()
      await view.heading(account['security'])
      t.equal(page.url(), `${base}/account/security`)
      await page.goto(`${base}/`)
      await view.heading(account['profile'])
      t.equal(page.url(), `${base}/account`)
      t.strictSame(outside, [], 'nothing leaves the prefix')
      view.end()
    },
  )
}
