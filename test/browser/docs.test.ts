import { test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { send } from '../helpers/browser/swagger-ui.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

test('a person signs in at /docs and reads a page of users', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, complaints, hosts } = await openBrowser(t)
  // A slow machine takes its time.
  page.setDefaultTimeout(300_000)
  await page.goto(`${server.origin}/docs`)
  await page.locator('.opblock').first().waitFor()

  t.equal((await send(page, 'getUserPage')).status, '401', 'without a token there is no list')
  await page.reload()
  await page.locator('.opblock').first().waitFor()
  const hint = await page.locator('.information-container').first().innerText()
  for (const word of ['forcePasswordChange', 'POST /auth/changePassword', 'captcha_required', 'GET /auth/captcha']) {
    t.ok(hint.includes(word), `the hint names ${word}`)
  }
  const unchanged = await send(page, 'login')
  t.match(unchanged, { status: '400', body: { message: /password is required/ } }, 'the sign-in as it is filled in')
  await page.reload()
  await page.locator('.opblock').first().waitFor()
  const login = await send(page, 'login', { username: 'admin', password: adminPassword })
  t.equal(login.status, '200')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('#auth-basic-username').waitFor()
  await page.waitForFunction(() => {
    const { activeElement } = (globalThis as unknown as { document: { activeElement: { id: string } | null } }).document
    return activeElement?.id === 'auth-bearer-value'
  })
  t.match(await page.locator('.auth-container').last().innerText(), /person/, 'the field of services says so')
  // What is typed at once is the access token, not the user name of a service.
  await page.keyboard.insertText(login.body.data.accessToken)
  await page
    .locator('.auth-container', { has: page.locator('#auth-bearer-value') })
    .getByRole('button', { name: 'Apply credentials' })
    .click()
  await page.getByRole('button', { name: 'Close' }).first().click()
  const list = await send(page, 'getUserPage')
  t.equal(list.status, '200')
  t.equal(list.body.data.records[0].username, 'admin')
  t.notOk('passwordHash' in list.body.data.records[0])

  await send(page, 'getCaptcha')
  const picture = page.getByAltText('The captcha')
  await picture.waitFor()
  t.ok(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 50))
  const shown = await page.locator('.opblock-tag-section').first().locator('.opblock-summary-path').allInnerTexts()
  t.equal(shown[0]?.replaceAll('\u200b', ''), '/auth/login', 'the sign-in is the first operation')
  t.same(
    [...hosts].filter((host) => host !== ''),
    [new URL(server.origin).host],
    'no requests to elsewhere',
  )

  const screenshot = process.env['ROLLCALL_TEST_SCREENSHOT']
  if (screenshot) await page.screenshot({ path: screenshot, fullPage: false })
  // The 401 and 400 above are the page's own business; a blocked script or style is ours.
  t.same(
    complaints.filter((text) => !/40[01]/.test(text)),
    [],
    'the page loads without complaints',
  )
})
