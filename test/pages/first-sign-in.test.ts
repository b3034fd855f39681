import { test } from 'tap'
import { loseCookies } from '../helpers/browser/account-page.js'
import { skip } from '../helpers/browser/browser.js'
import { openPage } from '../helpers/browser/pages.js'
import { codeIn, startWithMessages } from '../helpers/service/self-service.js'
import { adminPassword, startServer, userPassword } from '../helpers/service/server.js'

const newPassword = 'four plain unrelated words'

/** Who signs in for the first time, with which permissions, from where, and where that ends. */
const rows: [
  about: string,
  permissions: string[] | undefined,
  path: string,
  settings: Record<string, unknown>,
  end: string,
][] = [
  ['an administrator begins at the console', ['*:*:*'], '/sign-in', {}, '/console'],
  ['so does somebody with one permission', ['system:session:list'], '/sign-in', {}, '/console'],
  ['and somebody with all about users', ['*:user:*'], '/sign-in', {}, '/console'],
  ['somebody without any at the account', undefined, '/sign-in', {}, '/account'],
  ['and with one that opens no list of the console', ['system:user:view'], '/sign-in', {}, '/account'],
  ['and with one of another application, too', ['report:daily:read'], '/sign-in', {}, '/account'],
  ['so does whoever comes by the address of the service', ['*:*:*'], '/', {}, '/console'],
  ['an address that was asked for goes first', ['*:*:*'], '/sign-in?next=/health/live', {}, '/health/live'],
  ['without the console it is the account', ['*:*:*'], '/sign-in', { pages: { console: false } }, '/account'],
]

for (const [about, permissions, path, settings, end] of rows) {
  test(`a first sign-in: ${about}`, { skip }, async (t) => {
    const server = await startServer(t, { settings })
    if (permissions) await server.operator.addRole('own', 'Own', permissions)
    await server.addUser('alice', { forcePasswordChange: true, roles: permissions ? ['own'] : [] })
    const { page, words, ...view } = await openPage(t, server, path, { name: 'first' })
    await view.signIn('alice', userPassword)
    await view.heading(words['changeHeading'])
    await view.send({ newPassword })
    await page.waitForURL(view.origin + end)
    t.equal(new URL(page.url()).pathname, end)
    if (end === '/account') {
      const notice = page.getByText('Your password is set, and you are signed in.', { exact: true })
      await notice.first().waitFor()
      await page.reload()
      await view.heading('Profile')
      t.equal(await notice.count(), 0, 'it is said once')
    }

    // So do later ones.
    if (end !== '/console') return
    await loseCookies(page)
    await page.goto(`${view.origin}/sign-in`)
    await view.signIn('alice', newPassword)
    await page.waitForURL(`${view.origin}/console`)
  })
}

test('the rule about names is marked as the service sees it, before it is asked', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice', { forcePasswordChange: true, email: 'wonderland@example.com', phone: '13800138000' })
  const { page, words, ...view } = await openPage(t, server, '/sign-in', { name: 'first-names' })
  await view.signIn('alice', userPassword)
  await view.heading(words['changeHeading'])
  const rule = page.locator('.rules li').nth(1)
  const { accessToken: token } = await server.signIn('alice')
  for (const made of ['rollcall1', 'alice-12', 'Default12', 'wonderland!', '13800138000!']) {
    await page.locator('[name=newPassword]').fill(made)
    await rule.locator('.unmet').waitFor()
    const json = { oldPassword: userPassword, newPassword: made }
    const answer = await server.call('POST', '/auth/changePassword', { token, json })
    t.match(answer.body.data.violations?.[0]?.message, /must not consist of the name/, made)
  }
  await page.locator('[name=newPassword]').fill(newPassword)
  await rule.locator('.met').waitFor()
})

test('whoever leaves the page of the first own password is led back to it from any page', { skip }, async (t) => {
  const server = await startServer(t)
  await server.operator.addRole('own', 'Own', ['*:*:*'])
  await server.addUser('alice', { forcePasswordChange: true, roles: ['own'] })
  const { page, words, ...view } = await openPage(t, server, '/sign-in', { name: 'first-led-back' })
  await view.signIn('alice', userPassword)
  await view.heading(words['changeHeading'])
  for (const path of ['/console/users', '/account/security']) {
    await page.goto(view.origin + path)
    await page.waitForURL(/sign-in/)
    await view.heading(words['changeHeading'])
  }
  await view.send({ oldPassword: userPassword, newPassword })
  await page.waitForURL(`${view.origin}/account/security`)
})

test('an invited administrator begins at the console, too', { skip }, async (t) => {
  const { server, mailAfter } = await startWithMessages(t)
  const { accessToken: token } = await server.signIn()
  await server.operator.addRole('own', 'Own', ['system:user:list'])
  const json = { username: 'carol', email: 'carol@example.com', roleKeys: ['own'] }
  const code = codeIn(await mailAfter(() => server.call('POST', '/system/user', { token, json })))
  const { page, ...view } = await openPage(t, server, '/sign-in/invited', { name: 'first-invited' })
  await view.send({ recipient: 'carol@example.com', code, newPassword })
  await page.waitForURL(`${view.origin}/console`)
})

test('an administrator begins at the console each time, but where another page was asked for', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'first-given' })
  for (const [path, end] of [
    ['/sign-in', '/console'],
    ['/sign-in', '/console'],
    ['/sign-in?next=/health/live', '/health/live'],
    ['/sign-in?next=/account/security', '/account/security'],
  ] as const) {
    await page.goto(view.origin + path)
    await view.signIn('admin', adminPassword)
    await page.waitForURL(view.origin + end)
    await loseCookies(page)
  }
  // Somebody who is signed in goes on to the account.
  await page.goto(`${view.origin}/sign-in`)
  await view.signIn('admin', adminPassword)
  await page.waitForURL(`${view.origin}/console`)
  await page.goto(`${view.origin}/sign-in`)
  await page.waitForURL(`${view.origin}/account`)
})
