import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { test, type Test } from 'tap'
import { adminPassword, startServer } from '../helpers/server.js'

const executablePath = process.env['ROLLCALL_TEST_CHROMIUM']
const skip = executablePath ? false : 'set ROLLCALL_TEST_CHROMIUM to the path of a Chromium to run the browser tests'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens a page in a fresh browser; whatever the page complains about is collected. */
const openBrowser = async (t: Test) => {
  const profile = mkdtempSync(join(tmpdir(), 'rollcall-browser-'))
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags })
  t.teardown(async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

/** Opens an operation of Swagger UI and sends it; returns the status and body that the page shows. */
const send = async (page: Page, operationId: string, body?: object) => {
  const operation = page.locator(`.opblock[id$="-${operationId}"]`)
  const execute = operation.getByRole('button', { name: 'Execute' })
  if (!(await execute.isVisible())) await operation.locator('.opblock-summary-control').click()
  if (body) await operation.locator('textarea.body-param__text').fill(JSON.stringify(body))
  await execute.click()
  const live = operation.locator('.live-responses-table')
  const status = await live.locator('.response-col_status').last().innerText()
  const text = await live.locator('.highlight-code code').first().innerText()
  return { status: status.trim().slice(0, 3), body: JSON.parse(text) }
}

test('a person signs in at /docs and reads a page of users', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, complaints } = await openBrowser(t)
  // A slow machine takes its time.
  page.setDefaultTimeout(300_000)
  await page.goto(`${server.origin}/docs`)
  await page.locator('.opblock').first().waitFor()

  t.equal((await send(page, 'getUserPage')).status, '401', 'without a token there is no list')
  await page.reload()
  await page.locator('.opblock').first().waitFor()
  const login = await send(page, 'login', { username: 'admin', password: adminPassword })
  t.equal(login.status, '200')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.auth-container input').fill(login.body.data.accessToken)
  await page.locator('.auth-container button.authorize').click()
  await page.getByRole('button', { name: 'Close' }).click()
  const list = await send(page, 'getUserPage')
  t.equal(list.status, '200')
  t.equal(list.body.data.records[0].username, 'admin')
  t.notOk('passwordHash' in list.body.data.records[0])

  const screenshot = process.env['ROLLCALL_TEST_SCREENSHOT']
  if (screenshot) await page.screenshot({ path: screenshot, fullPage: false })
  // The 401 above is the page's own business; a blocked script or style is ours.
  t.same(
    complaints.filter((text) => !text.includes('401')),
    [],
    'the page loads without complaints',
  )
})
