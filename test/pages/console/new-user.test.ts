import { test } from 'tap'
import { answerLeaving, openConsole, stored } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { startServer } from '../../helpers/service/server.js'

const fields = {
  username: 'off',
  realName: 'off',
  phone: 'off',
  email: 'off',
  password: 'new-password',
  roleSearch: 'off',
}

for (const language of languages)
  test(`a user is added with all fields, after faults were said at theirs, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('taken')
    const acme = await server.operator.addTenant('Acme')
    await server.addUser('taken', { tenantId: acme.id })
    await server.operator.addRole('home', 'Home', [])
    await server.operator.addRole('editor', 'Editor', [], acme.id)
    for (let at = 1; at < 12; at += 1) await server.operator.addRole(`role${at}`, `Role ${at}`, [], acme.id)
    const opening = { language, name: 'new-user', refusals: 1 }
    const { page, words, ...view } = await openConsole(t, server, '/users', opening)
    const { users, roleChoice } = words as Record<string, any>
    await view.button(users.add)
    await page.waitForURL(/users\/new$/)
    await view.check({ title: users.addTitle, focus: 'username', autocomplete: fields })
    t.ok(await page.getByText(users.noInvitation).isVisible())

    const needsRole = page.getByText(users.needsRole)
    t.equal(await needsRole.count(), 0, 'a user need not have a role')
    await page.locator('[name=userType]').selectOption('1')
    await needsRole.waitFor()
    await page.getByRole('checkbox', { name: 'Home' }).check()
    await needsRole.waitFor({ state: 'detached' })
    await view.button(users.changeTenant)
    await page.getByRole('dialog').getByRole('button', { name: 'Acme' }).click()
    await page.getByRole('checkbox', { name: 'Home' }).waitFor({ state: 'detached' })
    await page.getByText(roleChoice.more(2)).waitFor()
    const search = page.getByRole('searchbox')
    const last = page.getByRole('checkbox', { name: 'Role 9 role9', exact: true })
    t.equal(await last.count(), 0)
    await search.fill('le 9')
    await last.check()
    await search.press('Enter')
    await search.fill('')
    await page.getByText(roleChoice.more(2)).waitFor()
    t.ok(await last.isChecked(), 'what is chosen stays, with its name')
    t.equal(await page.locator('#username-fault').count(), 0, 'searching does not send the form')
    await page.getByRole('checkbox', { name: 'Editor' }).check()

    await view.send({ username: 'taken', password: 'short', realName: 'Alice Liddell' })
    await page.locator('#password-fault').waitFor()
    await view.check({ title: users.addTitle, focus: 'password', autocomplete: fields })
    await page.locator('[name=userType]').selectOption('1')
    await page.locator('[name=gender]').selectOption('2')
    if (language === 'zh') t.match(users.typeHint, '普通用户只能管理权限不超过自己的账号。')
    t.ok(await page.getByText(users.passwordHint).isVisible())
    await view.send({
      username: 'alice',
      password: 'a brand new kettle',
      email: 'alice@example.com',
      phone: '+8613800138000',
      remark: 'Back office',
    })
    await page.waitForURL(/\/console\/users\/\d+$/)
    await page.locator('p.sr[role=status]', { hasText: users.added('alice') }).waitFor({ state: 'attached' })
    await page.locator('.notice', { hasText: users.added('alice') }).waitFor()
    const added = await server.app.db.users.findByUsername(acme.id, 'alice')
    t.match(added, {
      realName: 'Alice Liddell',
      userType: 1,
      gender: 2,
      email: 'alice@example.com',
      remark: 'Back office',
      forcePasswordChange: true,
    })
    t.strictSame((await server.app.db.roles.keysOf([added?.id ?? 0])).get(added?.id ?? 0), ['editor', 'role9'])
    t.equal(new URL(page.url()).pathname, `/console/users/${added?.id ?? 0}`)
    view.end()
  })

for (const language of languages)
  test(
    `the tenant for which the list is filtered is that of a new user and of a new role, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      const { id } = await server.operator.addTenant('Acme')
      const opening = { language, name: 'of-tenant' }
      const { page, words, ...view } = await openConsole(t, server, `/users?tenantId=${id}`, opening)
      const { users, roles } = words as Record<string, any>
      const chosen = page.locator('.field .line', { hasText: 'Acme' })
      await page.locator('header, main').getByRole('button', { name: users.add, exact: true }).first().click()
      await chosen.waitFor()
      await view.check({ title: users.addTitle, focus: 'username' })
      await view.send({ username: 'alice', password: 'a brand new kettle' })
      await page.waitForURL(/\/console\/users\/\d+$/)
      t.ok(await server.app.db.users.findByUsername(id, 'alice'))
      await page.goto(`${view.origin}/console/roles?tenantId=${id}`)
      await view.link(roles.add)
      await chosen.waitFor()
      t.notOk(new URL(page.url()).searchParams.has('tenant'), 'the tenant of the sign-in is another one')
      view.end()
    },
  )

for (const language of languages)
  test(`of a disabled tenant the page says that nobody of it can sign in, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id: tenantId } = await server.operator.addTenant('Acme')
    const { id } = await server.addUser('alice', { tenantId })
    await server.operator.setTenantEnabled(tenantId, false)
    const opening = { language, name: 'disabled-tenant' }
    const { page, words, ...view } = await openConsole(t, server, '/users/new', opening)
    const { users, common } = words as Record<string, any>
    const notice = page.locator('.notice.warn', { hasText: common.tenantDisabled('Acme') })
    await view.button(users.changeTenant)
    t.equal(await notice.count(), 0, 'the own tenant is enabled')
    await page.getByRole('dialog').getByRole('button', { name: 'Acme' }).click()
    await notice.waitFor()
    await view.check({ title: users.addTitle, focus: 'button' })
    await page.goto(`${view.origin}/console/users/${id}`)
    await notice.waitFor()
    await view.check({ title: 'alice', focus: 'main' })
    await notice.getByRole('link', { name: common.toTenant }).click()
    await view.heading('Acme')
    await server.operator.setTenantEnabled(tenantId, true)
    await page.goto(`${view.origin}/console/users/${id}`)
    await view.heading('alice')
    await view.answered()
    t.equal(await notice.count(), 0)
    view.end()
  })

test('a user without a password is invited, and the page says by what', { skip }, async (t) => {
  const { server, mailServer } = await startWithMessages(t)
  const opening = { name: 'new-user-invited', refusals: 1 }
  const { page, words, ...view } = await openConsole(t, server, '/users/new', opening)
  await view.send({ username: 'bobby' })
  await page.locator('#password-fault').waitFor()
  t.match(await page.locator('#password-fault').innerText(), /^Is needed, or an e-mail address or a phone number/)
  await page.locator('[name=phone]').fill('+8613800138009')
  await page.getByText('an invitation goes to the phone by text message').waitFor()
  await page.getByText(words['common'].noLink).waitFor()
  await page.locator('[name=email]').fill('bobby@example.com')
  await page.getByText('an invitation goes to the e-mail address').waitFor()
  await page.getByText(words['common'].noLink).waitFor()
  await page.getByText(words['users'].ifPassword).waitFor()
  await page.locator('form .primary').click()
  await page
    .locator('p.sr[role=status]', { hasText: 'bobby was added. An invitation is on its way.' })
    .waitFor({ state: 'attached' })
  t.strictSame((await mailServer.waitFor(1))[0]?.to, ['bobby@example.com'])
  view.end()
})

test('where only mail is sent, hint and refusal ask for an e-mail address', { skip }, async (t) => {
  const { server } = await startWithMessages(t, { settings: { sms: { sender: 'none' } } })
  const opening = { name: 'new-user-mail-only', refusals: 1 }
  const { page, words, ...view } = await openConsole(t, server, '/users/new', opening)
  await view.send({ username: 'bobby', phone: '+8613800138009' })
  await page.locator('#password-fault').waitFor()
  t.match(await page.locator('#password-fault').innerText(), /^Is needed, or an e-mail address to which/)
  await page.getByText(words['users'].needsEmail).waitFor()
  view.end()
})

test('leaving a changed form asks first; who may give less is offered less', { skip }, async (t) => {
  const server = await startServer(t)
  await server.operator.addRole('desk', 'Desk', ['system:user:list', 'system:user:add'])
  await server.addUser('desk', { roles: ['desk'] })
  const { words, page, ...view } = await openConsole(t, server, '/users/new', {
    username: 'desk',
    name: 'new-user-desk',
  })
  t.strictSame(await page.locator('[name=userType] option').allTextContents(), ['User'])
  t.equal(await page.getByRole('button', { name: 'Change the tenant' }).count(), 0)
  t.equal(await page.getByText('Roles').count(), 0, 'roles that cannot be listed are not offered')
  await page.locator('[name=username]').fill('carol')
  await view.link('Cancel')
  await answerLeaving(page, words.frame, 'stay')
  t.match(page.url(), /users\/new$/)
  t.equal(await page.locator('[name=username]').inputValue(), 'carol')
  await view.link('Cancel')
  await answerLeaving(page, words.frame, 'leave')
  await page.waitForURL(/users$/)
  await view.button('Add user')
  await view.send({ username: 'carol', password: 'a brand new kettle' })
  await page.waitForURL(/users\/\d+$/)
  t.equal((await stored(server, 'carol')).userType, 2)
  view.end()
})

test('who has only searched for a tenant and a role leaves without a question', { skip }, async (t) => {
  const server = await startServer(t)
  await server.operator.addTenant('Acme')
  const { page, ...view } = await openConsole(t, server, '/users/new', { name: 'new-user-searched' })
  await view.button('Change the tenant')
  await page.getByRole('searchbox', { name: 'Search tenants' }).fill('Acme')
  // The first one empties the field.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('[name=roleSearch]').fill('desk')
  await view.link('Cancel')
  await page.waitForURL(/users$/)
  view.end()
})
