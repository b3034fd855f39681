import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { openBrowser, skip } from '../../../test/helpers/browser/browser.js'
import { root } from '../../../test/helpers/processes/project.js'
import { lastFormat, tableIn } from '../../../test/helpers/service/file-formats.js'
import { adminPassword, startServer, userPassword } from '../../../test/helpers/service/server.js'
import { png } from './pictures.js'

const fixture = (name: string) => readFileSync(join(root, 'guests/console/test/fixtures', name), 'utf8')
const screenshot = process.env['ROLLCALL_TEST_SCREENSHOT']

test('a page that sends the requests of the front end and reads its fields works', { skip }, async (t) => {
  const server = await startServer(t, {
    // The page of the test has the address of the console.
    settings: { timeZone: 'Asia/Shanghai', pages: { console: false } },
    extend: (app) => {
      const open = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const
      const policy = { 'content-security-policy': "default-src 'self'; img-src data:; style-src 'unsafe-inline'" }
      app.get('/console', open, (_request, reply) =>
        reply.headers(policy).type('text/html').send(fixture('console.html')),
      )
      app.get('/console.js', open, (_request, reply) => reply.type('text/javascript').send(fixture('console.js')))
    },
  })
  const { id } = await server.addUser('alice', { realName: 'Alice Liddell', phone: '13800138000' })
  await server.signIn('alice')
  const { page, complaints, hosts } = await openBrowser(t)
  // A slow machine takes its time.
  page.setDefaultTimeout(60_000)
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
  })
  const rowOf = (text: string) => page.locator('tr', { hasText: text })
  const dialog = () => page.locator('#dialog').innerText()

  await page.goto(`${server.origin}/console`)
  await page.locator('#sign-in[data-ready]').waitFor()
  t.notMatch(await page.locator('#sign-in').innerText(), /tenant|keys/, 'no tenant is demanded, and no key')
  await page.locator('[name=username]').fill('admin')
  await page.locator('[name=password]').fill(adminPassword)
  await page.getByText('Sign in').click()
  await page.getByText('Login log').waitFor()
  t.same(await page.locator('#menu a').allInnerTexts(), ['Users', 'Online users', 'Login log', 'Profile'])
  t.match(await page.locator('#menu').innerText(), /Default, 0 messages/)

  await page.getByText('Users', { exact: true }).click()
  await page.getByText('2 users').waitFor()
  t.same(await rowOf('Alice').locator('td').allInnerTexts(), ['alice', 'Alice Liddell', 'User', 'Normal', 'Edit alice'])
  t.equal(await rowOf('Alice').locator('td').nth(3).getAttribute('class'), 'success', 'the label has its colour')
  await page.getByText('Edit alice').click()
  await page.getByText('alice in Default / Default').waitFor()
  t.equal(await page.locator('#phone').inputValue(), '13800138000')
  await page.locator('#real-name').fill('Alice Pleasance')
  await page.getByText('Save').click()
  await rowOf('Alice Pleasance').waitFor()
  t.match(await server.app.db.users.find(id), { realName: 'Alice Pleasance', phone: '13800138000', userStatus: 1 })

  const choose = async (selector: string, name: string, buffer: Buffer) =>
    page.locator(selector).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  const bad = [
    ['username', 'phone'],
    ['good', null],
    ['bad', '12'],
    ['alice', null],
  ]
  await choose('#import', `users.${lastFormat}`, await tableIn(server, lastFormat, bad))
  await page.getByText('Refused 2 of 3 rows').waitFor()
  t.match(
    await dialog(),
    /nobody was added; row 3: phone must be a phone number: .+; row 4: username is already taken$/,
  )
  if (screenshot !== undefined) await page.screenshot({ path: screenshot, fullPage: true })
  await choose('#import', `users.${lastFormat}`, await tableIn(server, lastFormat, [['username'], ['bob']]))
  await rowOf('bob').waitFor()
  t.equal(await dialog(), 'Added 1 user')

  await page.getByText('Online users').click()
  await page.getByText('2 rows').waitFor()
  t.match(await rowOf('alice').innerText(), /Alice Pleasance\s+signed in\s+2026-06-01 16:00:00/)
  await page.getByText('Ban alice', { exact: true }).click()
  await page.getByText('Unban alice').waitFor()
  t.match(await rowOf('alice').innerText(), /banned\s+2026-06-01 16:00:00\s+2026-06-01 17:00:00/)
  t.equal(
    (await server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword } })).status,
    403,
  )
  await page.getByText('Unban alice').click()
  await page.getByText('1 rows').waitFor()
  t.equal(await page.getByText('alice').count(), 0, 'neither banned nor signed in')
  await server.signIn('alice')

  await page.getByText('Login log', { exact: true }).first().click()
  await page.locator('h2', { hasText: 'Login log' }).waitFor()
  const log = await page.locator('tr').allInnerTexts()
  t.match(
    log.find((text) => text.startsWith('admin')),
    /Password\s+127\.0\.0\.1\s+Chrom.*Linux.*Succeeded.*2026-06-01 16:00:00/s,
  )
  t.match(
    log.find((text) => text.includes('Refused')),
    /alice.*blocked by an administrator.*2026-06-01 16:00:00/s,
  )

  await page.getByText('Profile', { exact: true }).click()
  await page.getByText('Profile of admin').waitFor()
  await choose('#picture', 'avatar.png', png(512, 512))
  await page.locator('#avatar[src^="data:image/png"]').waitFor()
  const shown = await page.locator('#avatar').getAttribute('src')
  t.equal((await server.app.db.users.findByUsername(1, 'admin'))?.avatar, shown)

  t.same(complaints, [], 'the page has no complaints')
  t.same(failed, [], 'no request failed')
  t.same(
    [...hosts].filter((host) => host !== '' && host !== new URL(server.origin).host),
    [],
  )
})
