import { test } from 'tap'
import { openBrowser, skip } from '../../../test/helpers/browser/browser.js'
import { startServer } from '../../../test/helpers/service/server.js'

test('/docs lists both documents, and none where there is one only', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, complaints } = await openBrowser(t)
  // A slow machine takes its time.
  page.setDefaultTimeout(300_000)
  await page.goto(`${server.origin}/docs`)
  await page.locator('.opblock[id$="-login"]').waitFor()
  const choice = page.locator('.bar select')
  t.same(await choice.locator('option').allInnerTexts(), ['Rollcall', 'Rollcall: existing front end'])
  t.equal(await page.locator('.opblock[id$="-compatGetMenu"]').count(), 0)
  await choice.selectOption({ index: 1 })
  await page.locator('.opblock[id$="-compatGetMenu"]').waitFor()
  t.equal(await page.locator('.opblock[id$="-login"]').count(), 0)

  const off = await startServer(t, { settings: { compat: { enabled: false } } })
  await page.goto(`${off.origin}/docs`)
  await page.locator('.opblock[id$="-login"]').waitFor()
  t.equal(await page.locator('.bar select').count(), 0)
  t.same(complaints, [], 'the page loads without complaints')
})
