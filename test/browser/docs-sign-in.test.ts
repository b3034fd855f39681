import type { Page } from 'playwright-core'
import { test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { send } from '../helpers/browser/swagger-ui.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

const inStorage = (page: Page) => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')

const openDocs = async (page: Page, address: string) => {
  page.setDefaultTimeout(120_000)
  await page.goto(address)
  await page.locator('.opblock').first().waitFor()
}

test('at /docs a person goes to the sign-in page and comes back with the token filled in', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, complaints, hosts } = await openBrowser(t)
  const refreshes: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('refreshToken')) refreshes.push(request.url())
  })
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await openDocs(page, `${server.origin}/docs#/users`)
  await button.waitFor()
  t.strictSame(refreshes, [], 'a stranger asks for no token')

  await button.click()
  await page.locator('[name=username]').fill('admin')
  await page.locator('[name=password]').fill(adminPassword)
  await page.locator('form .primary').click()
  await page.waitForURL(`${server.origin}/docs/#/users`)
  await page.locator('.btn.authorize.locked').waitFor()
  t.equal(await page.locator('.who').innerText(), 'Signed in as admin')
  t.equal(await button.count(), 0, 'who is signed in is not asked to sign in')
  t.equal((await send(page, 'getUserPage')).status, '200')
  await page.reload()
  await page.locator('.btn.authorize.locked').waitFor()
  t.equal((await send(page, 'getUserPage')).status, '200', 'also after a reload')
  t.notMatch(await inStorage(page), /eyJ/, 'no token in the storage of the browser')

  await page.locator('.btn.authorize.locked').click()
  await page.locator('.auth-container').first().getByRole('button', { name: 'Remove authorization' }).click()
  await button.waitFor()
  t.equal(await page.locator('.who').count(), 0, 'whose token was taken out is not called signed in')
  await page.locator('.close-modal').click()

  t.strictSame(complaints, [])
  t.strictSame([...hosts].filter(Boolean), [new URL(server.origin).host])
  const asked = refreshes.length
  await page.context().clearCookies()
  await page.reload()
  await button.waitFor()
  t.equal(refreshes.length, asked, 'without its cookie no session is asked for')
})

test('without the sign-in page /docs has no button and asks for no token', { skip }, async (t) => {
  const server = await startServer(t, { settings: { pages: { signIn: false } } })
  const { page, complaints } = await openBrowser(t)
  await openDocs(page, `${server.origin}/docs/`)
  await page.locator('.btn.authorize').waitFor()
  t.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).count(), 0)
  t.equal((await send(page, 'getUserPage')).status, '401')
  t.strictSame(
    complaints.filter((text) => !text.includes('401')),
    [],
  )
  t.equal(complaints.length, 1, 'the list alone is refused')
})
