import { test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { audit } from '../helpers/browser/pages.js'
import { send } from '../helpers/browser/swagger-ui.js'
import { startServer } from '../helpers/service/server.js'

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const

test('/docs has a policy without exceptions and loads nothing but its own files', async (t) => {
  const server = await startServer(t)
  const answer = await fetch(`${server.origin}/docs/`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  t.notMatch(policy, /unsafe|https?:|\*/)
  t.notMatch(await answer.text(), /<style|style=|<script(?! type="module" src="\.\.\/pages\/docs-)/)
})

for (const { colorScheme, width } of looks)
  test(`axe finds nothing at /docs: ${colorScheme}, ${width} px`, { skip }, async (t) => {
    const server = await startServer(t)
    const { page, complaints } = await openBrowser(t)
    page.setDefaultTimeout(120_000)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${server.origin}/docs/`)
    await page.locator('.opblock').first().waitFor()
    const expectNothing = async (what: string) => t.strictSame(await audit(page), [], what)
    await expectNothing('the list')
    t.equal(await page.locator('.server').innerText(), `Requests go to ${server.origin}`)
    t.equal(await page.locator('.topbar, .servers, img').count(), 0, 'no logo, and no list of servers')

    await send(page, 'login')
    await page.locator('.headers__title').first().waitFor()
    await expectNothing('an operation with its answer')
    const headings = await page.getByRole('heading').allInnerTexts()
    t.notOk(
      headings.some((text) => text.startsWith('Headers')),
      'what is repeated for each status is no heading',
    )
    await page.locator('.btn.authorize').first().click()
    await page.locator('#auth-bearer-value').waitFor()
    await expectNothing('the dialog')
    t.ok(
      (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
      'nothing is wider than the window',
    )
    t.strictSame(
      complaints.filter((text) => !text.includes('400')),
      [],
    )
  })

test('each document is shown, and its operations can be sent', { skip }, async (t) => {
  const server = await startServer(t, { settings: { compat: {} } })
  const { page, complaints } = await openBrowser(t)
  page.setDefaultTimeout(120_000)
  await page.goto(`${server.origin}/docs/`)
  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`)
  await operation('login').waitFor()
  t.equal((await send(page, 'getLoginConfig')).status, '200')
  await page.locator('.bar select').selectOption({ label: 'Rollcall: existing front end' })
  await page.locator('.info .title', { hasText: 'existing front end' }).waitFor()
  await page.locator('.opblock').first().waitFor()
  t.equal(await operation('login').count(), 0)
  t.strictSame(complaints, [])
})
