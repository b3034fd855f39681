import { existsSync } from 'node:fs'
import { test } from 'tap'
import { openBrowser, skip as withoutBrowser } from '../../helpers/browser/browser.js'
import { bundleRecipe, servePage } from '../../helpers/browser/recipe-pages.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

const fixture = 'test/fixtures/consoles'
const skip = existsSync(`${fixture}/node_modules/react-admin`) ? withoutBrowser : `run npm ci --prefix ${fixture}`
const frontEnd = {
  page: 'docs/recipes/react-admin.md',
  base: 'docs/recipes/react.md',
  plugin: 'react',
  element: 'root',
  main: 'src/main.jsx',
  template: {},
}

test('react-admin lists, adds, changes and deletes users and roles', { skip }, async (t) => {
  const site = await servePage(t)
  const server = await startServer(t, { time: Date.now(), environment: { CORS_ORIGINS: site.origin } })
  site.show(bundleRecipe(t, frontEnd, server.origin, fixture), server.origin)
  const other = await server.operator.addTenant('Other')
  await server.operator.addRole('editor', 'Our editor', ['page:text:edit'])
  await server.operator.addRole('editor', 'Their editor', [], other.id)
  await server.addUser('alice', { email: 'alice@example.com', realName: 'Alice' })
  const { page, complaints, hosts } = await openBrowser(t)
  page.setDefaultTimeout(20_000)
  const open = (path: string) => page.goto(`${site.origin}/#${path}`)
  const field = (label: string) => page.getByLabel(label).first()
  const signIn = async (username: string, password: string) => {
    await field('Username').fill(username)
    await field('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  /** Does something and returns the body of the request of that method which it causes. */
  const sent = async (method: string, act: () => Promise<void>) => {
    const answered = page.waitForResponse((response) => response.request().method() === method)
    await act()
    const response = await answered
    return { status: response.status(), url: response.url(), body: response.request().postDataJSON() as unknown }
  }
  const save = () => page.getByRole('button', { name: 'Save' }).click()

  await page.goto(site.origin)
  await signIn('admin', 'wrong')
  await page.getByText('Wrong user name or password').waitFor()
  t.equal(await page.getByText('alice').count(), 0)
  await signIn('admin', adminPassword)
  await page.getByRole('cell', { name: 'alice', exact: true }).waitFor()
  await page.getByRole('cell', { name: 'a******e@example.com' }).waitFor()

  await t.test('users', async (t) => {
    await open('/user/create')
    await field('Username').fill('alice')
    await field('Password').fill(userPassword)
    t.equal((await sent('POST', save)).status, 400)
    await page.locator('p.Mui-error').first().waitFor()
    await field('Username').fill('bob')
    t.match(await sent('POST', save), { status: 200, body: { username: 'bob' } })
    await open('/user')
    await page.getByRole('cell', { name: 'alice', exact: true }).click()
    await field('Real name').fill('Alice Liddell')
    const change = await sent('PATCH', save)
    t.equal(change.status, 200)
    t.same(change.body, { realName: 'Alice Liddell' }, 'only what differs')
    await page.getByRole('cell', { name: 'Alice Liddell' }).waitFor()
    await page.getByRole('cell', { name: 'bob', exact: true }).first().click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const removed = await sent('DELETE', () => page.getByRole('button', { name: 'Confirm' }).click())
    t.equal(removed.status, 200)
    await page.getByRole('cell', { name: 'bob', exact: true }).first().waitFor({ state: 'detached' })
  })

  await t.test('a role of another tenant is that one, although its key is the same', async (t) => {
    await open('/role')
    await page.getByRole('cell', { name: 'Their editor' }).click()
    await field('Name').fill('Their author')
    const change = await sent('PATCH', save)
    t.match(change, { status: 200, body: { name: 'Their author' } })
    t.match(change.url, `/system/role/editor?tenantId=${other.id}`)
    await page.getByRole('cell', { name: 'Our editor' }).waitFor()
    await page.getByRole('cell', { name: 'Their author' }).waitFor()
    await open('/tenant')
    await page.getByRole('cell', { name: 'Other' }).waitFor()
  })

  await t.test('what Rollcall refuses is shown, and a session that has ended shows the form', async (t) => {
    await page.evaluate(() => (globalThis as any).sessionStorage.clear())
    await page.reload()
    await signIn('alice', userPassword)
    await open('/role')
    await page.getByText('You do not have the permission for this').first().waitFor()
    t.equal(await page.getByText('Our editor').count(), 0)
    const token = await page.evaluate(() => String((globalThis as any).sessionStorage.getItem('token')))
    await server.call('POST', '/auth/logout', { token })
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  t.same(
    complaints.filter((text) => !/\b40[0134]\b|You do not have/.test(text)),
    [],
  )
  t.same(
    [...hosts].filter((host) => host !== '').sort(),
    [new URL(site.origin).host, new URL(server.origin).host].sort(),
  )
})
