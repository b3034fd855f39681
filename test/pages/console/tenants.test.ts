import { test } from 'tap'
import { hasRoomForTimes, loadedRow, openConsole, proveOnPage } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { adminPassword, startServer, type TestServer } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'

/** The server lets markup through, and up to 64 characters; these are wide, and have no place to break. */
const hostile = '<img src=x onerror=alert(1)>{{7*7}}</bdi>/?#%41'
const wide = '宽'.repeat(64)
const lastAdministrator = {
  en: 'This would leave no administrator who can sign in: make another person an administrator first',
  zh: '至少须保留一名可登录的系统管理员，请先将其他人设为系统管理员',
}

const read = async (server: TestServer, path: string) => {
  const { accessToken: token } = await server.signIn('admin', adminPassword)
  return (await server.call('GET', `/system/tenant/${path}`, { token })).body.data
}

for (const language of languages) {
  test(`tenants are listed, searched and added, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    for (const name of ['Acme', hostile, wide]) await server.operator.addTenant(name)
    const opening = { language, name: 'tenants', refusals: 2 }
    const { page, words, ...view } = await openConsole(t, server, '/tenants', opening)
    const { tenants } = words as any
    const rows = page.locator(loadedRow)
    await page.locator('tbody a').nth(3).waitFor()
    await view.check({ title: tenants.title, focus: 'body' })
    t.equal(await page.locator('main img').count(), 0)
    t.match(await page.locator('tbody').innerText(), hostile)
    await page.getByRole('searchbox').fill('ACM')
    await rows.nth(1).waitFor({ state: 'detached' })
    t.match(await rows.innerText(), 'Acme')

    t.ok(await hasRoomForTimes(page))

    const busy = { code: 429, message: 'Too busy', data: { reason: 'too_many_requests' } }
    await page.route('**/system/tenant/page*', (route) => route.fulfill({ status: 429, json: busy }))
    await page.getByRole('searchbox').fill('')
    await view.heading(words['list'].notLoaded)
    await view.check({ title: tenants.title, focus: 'input' })
    await page.unroute('**/system/tenant/page*')
    await view.button(words['list'].tryNow)
    await rows.nth(3).waitFor()

    await view.button(tenants.add)
    await page.locator('dialog').waitFor()
    await view.check({ title: tenants.title, focus: 'name', autocomplete: { name: 'off' } })
    await page.locator('dialog [name=name]').fill('Acme')
    await page.locator('dialog .primary').click()
    await page.locator('#name-fault').waitFor()
    t.match(await page.locator('#name-fault').innerText(), language === 'en' ? 'already taken' : '已被使用')
    await page.locator('dialog [name=name]').fill('Bolt & <b>Nut</b>')
    await page.locator('dialog .primary').click()
    await page.locator('.notice').getByText(tenants.added('Bolt & <b>Nut</b>')).waitFor()
    await view.heading('Bolt & <b>Nut</b>')
    t.match(await read(server, '5'), { name: 'Bolt & <b>Nut</b>', enabled: true })
    view.end()
  })

  test(`a tenant is renamed, disabled and enabled, with the way back, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.operator.addTenant('Acme')
    const token = await signInAs(server, 'alice', { tenantId: id })
    const { page, words, ...view } = await openConsole(t, server, `/tenants/${id}`, { language, name: 'tenant' })
    const { tenants, common } = words as any
    await page.getByRole('checkbox', { name: tenants.methods('password'), exact: true }).waitFor()
    await view.check({ title: 'Acme', focus: 'main', autocomplete: { name: 'off' } })
    for (const [path, text] of [
      ['users', tenants.itsUsers],
      ['roles', tenants.itsRoles],
      ['sign-ins', tenants.itsSignIns],
    ])
      t.match(await page.getByRole('link', { name: text }).getAttribute('href'), `/console/${path}?tenantId=${id}`)

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await view.button(words.frame['copy'])
    await view.button(words.frame['copied'])
    const address = `${view.origin}/sign-in?tenant=${id}`
    t.equal(await page.evaluate('navigator.clipboard.readText()'), address)
    await page.locator('.facts').getByText(address, { exact: true }).waitFor()

    await view.button(tenants.disable)
    await view.heading(tenants.disableOf('Acme'))
    await view.check({ title: 'Acme', focus: 'h2' })
    await page.locator('dialog').getByRole('button', { name: tenants.disable }).click()
    await page.getByText(tenants.isDisabled('Acme')).first().waitFor()
    await view.check({ title: 'Acme', focus: 'button' })
    t.match(await read(server, String(id)), { enabled: false })
    t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 401)
    await view.button(words.frame['undo'])
    await page.getByText(words.frame['undone']).first().waitFor()
    t.match(await read(server, String(id)), { enabled: true })
    await server.operator.setTenantEnabled(id, false)
    await page.reload()
    await view.button(tenants.enable)
    await page.getByText(tenants.isEnabled('Acme')).first().waitFor()
    t.match(await read(server, String(id)), { enabled: true })

    const saved = page.locator('.notice.good', { hasText: tenants.saved })
    const needsFactor = page.locator('#factor-hint', { hasText: common.needsFactor })
    const undo = page.getByRole('button', { name: words.frame['undo'] })
    await needsFactor.waitFor()
    t.match(await needsFactor.getByRole('link').getAttribute('href'), '/account/security')
    await page.locator('[name=factor]').check()
    await view.button(tenants.save)
    await saved.waitFor()
    t.equal(await undo.count(), 0, 'whoever has no second factor cannot take it back')
    await proveOnPage(page, server)
    await page.reload()
    await page.locator('[name=factor]').uncheck()
    await view.button(tenants.save)
    await saved.waitFor()
    t.equal(await needsFactor.count(), 0)

    await page.locator('[name=name]').fill(wide)
    await page.locator('[name=factor]').check()
    await view.button(tenants.save)
    await view.heading(wide)
    await view.check({ title: wide, focus: 'p' })
    t.match(await read(server, String(id)), { name: wide, secondFactorRequired: true })
    await undo.click()
    await view.heading('Acme')
    t.match(await read(server, String(id)), { name: 'Acme', secondFactorRequired: false })
    view.end()
  })

  test(`what was saved of a tenant is not said of a change that is refused, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.operator.addTenant('Acme')
    await server.operator.addTenant('Bolt')
    const opening = { language, name: 'tenant-refused', refusals: 1 }
    const { page, words, ...view } = await openConsole(t, server, `/tenants/${id}`, opening)
    const { tenants } = words as any
    await page.locator('[name=name]').fill('Acme Ltd')
    await view.button(tenants.save)
    await view.heading('Acme Ltd')
    await page.locator('.notice.good', { hasText: tenants.saved }).waitFor()
    await page.locator('[name=name]').fill('Bolt')
    await view.button(tenants.save)
    await page.locator('#name-fault').waitFor()
    t.equal(await page.locator('.notice.good').count(), 0)
    view.end()
  })

  test(`sign-in methods are switched, but not those of the last administrator, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.operator.addTenant('Acme')
    const opening = { language, name: 'tenant-methods', refusals: 2 }
    const { page, words, ...view } = await openConsole(t, server, `/tenants/${id}`, opening)
    const { tenants } = words as any
    const box = (name: string) => page.getByRole('checkbox', { name: tenants.methods(name), exact: true })
    const methodOf = async (tenantId: number, wanted: string) => {
      const { methods } = await read(server, `${tenantId}/methods`)
      return methods.find(({ name }: { name: string }) => name === wanted).enabled
    }
    await box('password').uncheck()
    await view.button(tenants.saveMethods)
    await page.getByText(tenants.methodsSaved).first().waitFor()
    t.equal(await methodOf(id, 'password'), false)
    await view.button(words.frame['undo'])
    await page.getByText(words.frame['undone']).first().waitFor()
    t.equal(await methodOf(id, 'password'), true)
    t.ok(await box('password').isChecked())

    const { methods } = await read(server, '1/methods')
    for (const { name } of methods) await box(name).uncheck()
    await view.button(tenants.saveMethods)
    await page.locator('#methods-fault').getByText(tenants.keepOne, { exact: true }).waitFor()
    await view.check({ title: 'Acme', focus: 'input' })
    t.equal(await page.locator('.notice.bad').count(), 0, 'said at its place, and nowhere else')
    await page.reload()
    t.ok(await box('password').isChecked())

    await page.goto(`${view.origin}/console/tenants/1`)
    await box('password').waitFor()
    for (const { name } of methods) {
      t.not(tenants.methods(name), name, `${name} has words`)
      if (name.startsWith('password')) await box(name).uncheck()
    }
    await view.button(tenants.saveMethods)
    await page.locator('.notice.bad').waitFor()
    t.match(await page.locator('.notice.bad').innerText(), lastAdministrator[language])
    await view.check({ title: await page.locator('h1').innerText(), focus: 'alert' })
    t.equal(await methodOf(1, 'password'), true)

    const disable = page.getByRole('button', { name: tenants.disable, exact: true })
    t.equal(await disable.count(), 0, 'the default tenant stays enabled')
    view.end()
  })

  test(`an administrator of a tenant sees its own only, and changes nothing, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.operator.addTenant('Acme')
    await signInAs(server, 'alice', { userType: 1, permissions: ['system:tenant:*'] })
    const opening = { language, name: 'tenant-own', refusals: 1, username: 'alice' }
    const { page, words, ...view } = await openConsole(t, server, '/tenants', opening)
    await page.locator('tbody a').first().waitFor()
    t.equal(await page.locator(loadedRow).count(), 1)
    t.equal(await page.locator('main header button').count(), 0)
    await page.locator('tbody a').click()
    await page.locator('dl').waitFor()
    const title = await page.locator('h1').innerText()
    await view.check({ title, focus: 'main' })
    t.equal(await page.locator('main :is(button, input, .button):not(dl *)').count(), 0, 'the address can be copied')
    await page.goto(`${view.origin}/console/tenants/2`)
    await view.heading(words['common'].missing)
    await page.goto(`${view.origin}/console/tenants/two`)
    await view.heading(words['common'].missing)
    view.end()
  })
}
