import { test, type Test } from 'tap'
import { loadedRow, openConsole, stored } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages, sentencesIn } from '../../helpers/browser/pages.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const status = async (server: TestServer, username: string) => (await stored(server, username)).userStatus

/** Waits for what the status line says. */
const says = async (t: Test, page: Awaited<ReturnType<typeof openConsole>>['page'], text: string) => {
  await page.locator('p.sr[role=status]', { hasText: text }).waitFor({ state: 'attached' })
  t.pass(text)
}

for (const language of languages) {
  test(`a ban is a badge in the list, and is lifted there, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    const { id: off } = await server.addUser('bobby')
    for (let at = 1; at < 7; at += 1) await server.addUser(`user${at}`)
    await server.operator.ban(id)
    await server.operator.ban(off)
    await server.operator.setEnabled('bobby', false)
    const opening = { language, name: 'users-banned' }
    const { page, words, ...view } = await openConsole(t, server, '/users?sort=username', opening)
    const { users, common } = words as Record<string, any>
    const badges = (name: string) => page.getByRole('row', { name }).locator('.status').allTextContents()
    await page.getByRole('row', { name: 'alice' }).waitFor()
    t.strictSame(await badges('alice'), [common.banned])
    t.strictSame(await badges('bobby'), [common.statuses[0], common.banned])
    t.strictSame(await badges('user1'), [common.statuses[1]])
    t.match(await page.locator('.status.locked').first().getAttribute('title'), /2026/)
    await view.check({ title: users.title, focus: 'body' })
    await page.locator(`summary[aria-label="${users.actionsFor('user1')}"]`).click()
    t.notOk((await page.locator('.menu[open] button').allTextContents()).includes(users.liftBan))
    await page.keyboard.press('Escape')
    await page.locator(`summary[aria-label="${users.actionsFor('alice')}"]`).click()
    await page.locator('.menu[open]').getByRole('button', { name: users.liftBan }).click()
    await says(t, page, users.done.liftBan('alice', true))
    // The list is read again after that.
    await page.getByRole('row', { name: 'alice' }).locator('.status', { hasText: common.statuses[1] }).waitFor()
    t.strictSame(await badges('alice'), [common.statuses[1]])
    t.equal((await server.signIn('alice')).accessToken !== '', true)
    view.end()
  })

  test(`a user is disabled, enabled again, unlocked and deleted, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice', { realName: 'Alice Liddell' })
    await server.addUser('bobby', { userStatus: 2 })
    // Below them there is room for the menu, which would cover targets.
    for (let at = 1; at < 7; at += 1) await server.addUser(`user${at}`)
    const opening = { language, name: 'users-menu' }
    const { page, words, ...view } = await openConsole(t, server, '/users?sort=username', opening)
    const { users } = words as Record<string, any>
    const open = async (name: string) => {
      await page.locator(`summary[aria-label="${users.actionsFor(name)}"]`).click()
      return page.locator('.menu[open]')
    }
    const own = await open('admin')
    t.strictSame(await own.locator('a, button').allTextContents(), [users.open])
    await page.keyboard.press('Escape')
    t.equal(await page.getByRole('checkbox', { name: users.select('admin') }).count(), 0)

    const menu = await open('alice')
    t.strictSame(await menu.locator('a, button').allTextContents(), [
      users.open,
      users.disable,
      users.unlock,
      users.delete,
    ])
    await view.check({ title: users.title, focus: 'summary' })
    await menu.getByRole('button', { name: users.disable, exact: true }).click()
    await says(t, page, users.done.disable('alice', true))
    t.equal(await status(server, 'alice'), 0)
    await page.getByRole('row', { name: (words as any)['common'].statuses[0] }).waitFor()
    await view.check({ title: users.title, focus: 'summary' })
    await view.button(words.frame['undo'])
    await says(t, page, users.done.enable('alice', true))
    t.equal(await status(server, 'alice'), 1)

    t.strictSame(await (await open('bobby')).locator('a, button').allTextContents(), [
      users.open,
      users.disable,
      users.unlock,
      users.delete,
    ])
    await view.button(users.unlock)
    await says(t, page, users.done.unlock('bobby', true))
    t.equal(await status(server, 'bobby'), 1)

    await (await open('alice')).getByRole('button', { name: users.delete }).click()
    await view.heading(users.asked.delete.title(1))
    t.match(await page.getByRole('dialog').innerText(), /Alice Liddell alice · Default/)
    await view.check({ title: users.title, focus: 'h2' })
    await page.keyboard.press('Escape')
    t.equal(await status(server, 'alice'), 1)
    await (await open('alice')).getByRole('button', { name: users.delete }).click()
    await view.button(users.asked.delete.button(1))
    await says(t, page, users.done.delete('alice', true))
    t.equal(await server.app.db.users.findByUsername(1, 'alice'), undefined)
    await page.getByRole('row', { name: 'alice' }).waitFor({ state: 'detached' })
    t.ok(await page.getByRole('button', { name: users.dismiss }).evaluate((one) => one.matches(':focus')))
    await view.button(users.dismiss)
    await page.getByText(users.count(8, '8')).waitFor()
    view.end()
  })

  test(`several users are selected and changed at once, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    for (const name of ['alice', 'bobby', 'carol']) await server.addUser(name)
    await server.addUser('disabled', { userStatus: 0 })
    const opening = { language, name: 'users-batch' }
    const { page, words, ...view } = await openConsole(t, server, '/users?sort=username', opening)
    const { users } = words as Record<string, any>
    const all = page.getByRole('checkbox', { name: users.selectAll })
    const select = (name: string) => page.getByRole('checkbox', { name: users.select(name) }).click()
    const button = (name: string) => page.locator('.bar').getByRole('button', { name, exact: true })
    await all.waitFor()
    const height = async () => (await page.locator('.bar').boundingBox())?.height
    const before = await height()
    await select('alice')
    t.ok(await all.evaluate((input: any) => input.indeterminate))
    await all.click()
    await page.getByText(users.selected('4')).waitFor()
    await select('carol')
    await page.getByText(users.selected('3')).waitFor()
    t.equal(await height(), before)
    await view.check({ title: users.title, focus: 'input' })

    await button(users.disable).click()
    const already = users.already.disable('disabled', true)
    await says(t, page, sentencesIn(language, users.done.disable(users.count(2, '2'), false), already))
    t.equal(await height(), before)
    t.equal(await page.locator('tr.picked').count(), 0)
    t.strictSame(
      await Promise.all(['alice', 'bobby', 'carol', 'disabled'].map((name) => status(server, name))),
      [0, 0, 1, 0],
    )
    t.ok(await button(words.frame['undo']).evaluate((one) => one.matches(':focus')), 'the focus is not lost')
    await button(words.frame['undo']).click()
    await says(t, page, users.done.enable(users.count(2, '2'), false))
    t.strictSame(
      await Promise.all(['alice', 'bobby', 'carol', 'disabled'].map((name) => status(server, name))),
      [1, 1, 1, 0],
      'who was disabled before stays so',
    )

    await select('alice')
    await select('carol')
    await button(users.delete).click()
    await view.heading(users.asked.delete.title(2))
    t.strictSame(await page.getByRole('dialog').locator('bdi').allTextContents(), [
      'alice',
      'alice',
      'Default',
      'carol',
      'carol',
      'Default',
    ])
    await view.check({ title: users.title, focus: 'h2' })
    await view.button(users.asked.delete.button(2))
    await says(t, page, users.done.delete(users.count(2, '2'), false))
    await page.getByRole('row', { name: 'carol' }).waitFor({ state: 'detached' })
    t.equal(await page.locator(loadedRow).count(), 3)
    view.end()
  })
}

for (const language of languages)
  test(`several users are given a role, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.operator.addRole('editor', 'Editor', ['report:daily:read'])
    for (const name of ['alice', 'bobby', 'carol']) await server.addUser(name)
    await server.operator.assign('editor', 'carol')
    const opening = { language, name: 'users-role' }
    const { page, words, ...view } = await openConsole(t, server, '/users?sort=username', opening)
    const { users } = words as Record<string, any>
    for (const name of ['alice', 'bobby', 'carol'])
      await page.getByRole('checkbox', { name: users.select(name) }).click()
    await view.button(users.giveRole)
    await view.heading(users.giveRole)
    await view.check({ title: users.title, focus: 'input' })
    await page.getByRole('dialog').getByRole('button', { name: 'Editor' }).click()
    const given = users.gaveRole(users.count(2, '2'), false, 'Editor')
    await says(t, page, sentencesIn(language, given, users.hadRole('carol')))
    for (const name of ['alice', 'bobby', 'carol'])
      await page.getByRole('row', { name }).getByText('editor', { exact: true }).waitFor()
    await view.button(words.frame['undo'])
    await says(t, page, users.tookRole(users.count(2, '2'), false, 'Editor'))
    await page.getByRole('row', { name: 'bobby' }).getByText('editor', { exact: true }).waitFor({ state: 'detached' })
    const roles = async (name: string) => (await server.app.db.roles.grantsOf((await stored(server, name)).id)).roleKeys
    t.strictSame(await Promise.all(['alice', 'bobby', 'carol'].map(roles)), [[], [], ['editor']])

    // Another tenant has other roles.
    const acme = await server.operator.addTenant('Acme')
    await server.addUser('dave', { tenantId: acme.id })
    await page.reload()
    for (const name of ['alice', 'dave']) await page.getByRole('checkbox', { name: users.select(name) }).click()
    await view.button(users.giveRole)
    await page.getByRole('alert').getByText(users.severalTenants).waitFor()
    view.end()
  })

for (const language of languages)
  test(`who was locked is locked again by undo, alone and among others, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    for (const name of ['alice', 'dave']) await server.addUser(name)
    for (const name of ['bobby', 'carol']) await server.addUser(name, { userStatus: 2 })
    await server.addUser('erin', { userStatus: 0 })
    const names = ['alice', 'bobby', 'carol', 'dave', 'erin']
    const statuses = () => Promise.all(names.map((name) => status(server, name)))
    const opening = { language, name: 'users-locked' }
    const { page, words, ...view } = await openConsole(t, server, '/users?sort=username', opening)
    const { users } = words as Record<string, any>
    const undo = () => view.button(words.frame['undo'])
    const two = users.count(2, '2')

    await page.locator(`summary[aria-label="${users.actionsFor('bobby')}"]`).click()
    await page.locator('.menu[open]').getByRole('button', { name: users.disable, exact: true }).click()
    await says(t, page, users.done.disable('bobby', true))
    await undo()
    await says(t, page, users.lockedAgain('bobby', true))
    t.strictSame(await statuses(), [1, 2, 2, 1, 0])

    await page.getByRole('checkbox', { name: users.selectAll }).click()
    await view.button(users.disable)
    const disabled = users.done.disable(users.count(4, '4'), false)
    await says(t, page, sentencesIn(language, disabled, users.already.disable('erin', true)))
    t.strictSame(await statuses(), [0, 0, 0, 0, 0])
    await undo()
    await says(t, page, sentencesIn(language, users.done.enable(two, false), users.lockedAgain(two, false)))
    t.strictSame(await statuses(), [1, 2, 2, 1, 0])
    await view.check({ title: users.title, focus: 'button' })
    // The way back has one, too.
    await undo()
    await says(t, page, disabled)
    await undo()
    await says(t, page, users.lockedAgain(two, false))
    t.strictSame(await statuses(), [1, 2, 2, 1, 0])

    // An action says whom it has not changed.
    await page.getByRole('checkbox', { name: users.selectAll }).click()
    await view.button(users.enable)
    const notDisabled = users.already.enable(users.count(4, '4'), false)
    await says(t, page, sentencesIn(language, users.done.enable('erin', true), notDisabled))
    await undo()
    await says(t, page, users.done.disable('erin', true))
    t.strictSame(await statuses(), [1, 2, 2, 1, 0])
    await page.getByRole('checkbox', { name: users.selectAll }).click()
    await view.button(users.unlock)
    const notLocked = users.already.unlock(users.count(3, '3'), false)
    await says(t, page, sentencesIn(language, users.done.unlock(two, false), notLocked))
    t.strictSame(await statuses(), [1, 1, 1, 1, 0])
    await page.getByRole('checkbox', { name: users.select('erin') }).click()
    await view.button(users.disable)
    await says(t, page, users.already.disable('erin', true))
    t.equal(await page.getByRole('button', { name: words.frame['undo'] }).count(), 0, 'there is nothing to undo')
    view.end()
  })

test('whoever cannot be locked again is not said to be, and the list shows who was', { skip }, async (t) => {
  const server = await startServer(t)
  for (const name of ['alice', 'bobby']) await server.addUser(name, { userStatus: 2 })
  const { page, ...view } = await openConsole(t, server, '/users?sort=username', { name: 'users-undo', refusals: 1 })
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await view.button('Disable')
  await says(t, page, '2 users were disabled, and their sessions have ended.')
  const { accessToken: token } = await server.signIn()
  await server.call('DELETE', `/system/user/${(await stored(server, 'bobby')).id}`, { token })
  await view.button('Undo')
  await page.getByRole('alert').waitFor()
  await page.getByRole('row', { name: 'bobby' }).waitFor({ state: 'detached' })
  t.match(await page.getByRole('row', { name: 'alice' }).innerText(), /Locked/)
  t.equal(await page.getByText('locked again').count(), 0)
  view.end()
})

test('of several users all are changed or none, and the answer names those who cannot be', { skip }, async (t) => {
  const server = await startServer(t)
  await server.operator.addRole('desk', 'Desk', ['system:user:list', 'system:user:edit'])
  await server.operator.addRole('auditor', 'Auditor', ['system:audit:list'])
  await server.addUser('desk', { roles: ['desk'] })
  await server.addUser('alice')
  await server.addUser('mighty', { roles: ['auditor'] })
  const { page, ...view } = await openConsole(t, server, '/users?sort=username', {
    username: 'desk',
    name: 'users-refused',
    refusals: 1,
  })
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await select('alice').check()
  t.equal(await select('admin').count(), 0, 'nobody above')
  t.equal(await select('desk').count(), 0, 'not the person')
  t.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
  await select('mighty').check()
  await view.button('Disable')
  await page.getByRole('alert').waitFor()
  t.match(await page.getByRole('alert').innerText(), /^Nobody was changed\.\s+mighty: may do more than you$/)
  t.equal(await status(server, 'alice'), 1)
  await page.getByText('2 selected').waitFor()
  await view.check({ title: 'Users', focus: 'button' })
  view.end()
})

test(
  'the selection stays on other pages and with another search, and says how many are not shown',
  { skip },
  async (t) => {
    const server = await startServer(t)
    for (let at = 10; at < 35; at += 1) await server.addUser(`user${at}`)
    const { page, ...view } = await openConsole(t, server, '/users?sort=username', { name: 'users-selection' })
    const box = (name: string) => page.getByRole('checkbox', { name })
    await box('Select user10').check()
    await page.getByText('1 selected', { exact: true }).waitFor()
    await view.button('Next')
    await box('Select user34').waitFor()
    await page.getByText('1 selected, 1 not on this page').waitFor()
    t.notOk(await box('Select all on this page').isChecked())
    await box('Select all on this page').check()
    await page.getByText('7 selected, 1 not on this page').waitFor()
    await page.getByRole('searchbox').fill('user20')
    await box('Select user20').check()
    await page.getByText('8 selected, 7 not on this page').waitFor()
    await box('Select all on this page').uncheck()
    await page.getByText('7 selected, 7 not on this page').waitFor()
    // Somebody looks at one of them, and comes back to the place.
    await page.getByRole('searchbox').fill('')
    await page.setViewportSize({ width: 1280, height: 400 })
    await box('Select user20').waitFor()
    await page.getByRole('link', { name: 'user15', exact: true }).first().scrollIntoViewIfNeeded()
    const top = await page.evaluate<number>('scrollY')
    t.ok(top > 0)
    await page.getByRole('link', { name: 'user15', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'user15' }).waitFor()
    await page.goBack()
    await box('Select user20').waitFor()
    await page.getByText(/^7 selected/).waitFor()
    await page.waitForFunction((wanted) => (globalThis as any).scrollY === wanted, top)
    await page.setViewportSize({ width: 1280, height: 900 })
    await view.button('Disable')
    await says(t, page, '7 users were disabled, and their sessions have ended.')
    t.strictSame(
      await Promise.all(['user10', 'user11', 'user20', 'user29', 'user34'].map((name) => status(server, name))),
      [0, 1, 1, 0, 0],
    )
    await view.button('Undo')
    await says(t, page, '7 users were enabled.')
    t.equal(await status(server, 'user10'), 1)
    await page.getByText('1 user', { exact: true }).waitFor({ state: 'detached' })
    view.end()
  },
)

test(
  'all users whom the list finds are selected, those of other pages too, and changed at once',
  { skip },
  async (t) => {
    const server = await startServer(t)
    for (let at = 100; at < 225; at += 1) await server.addUser(`user${at}`)
    await server.addUser('alice')
    const { page, ...view } = await openConsole(t, server, '/users?sort=username&search=user', {
      name: 'users-select-all',
      refusals: 1,
    })
    const all = page.getByRole('checkbox', { name: 'Select all on this page' })
    const matching = page.getByRole('button', { name: 'Select all 125', exact: true })
    await all.waitFor()
    t.equal(await matching.count(), 0)
    await all.check()
    await matching.waitFor()
    await view.check({ title: 'Users', focus: 'input' })
    // A request that fails selects nobody, and says so.
    await page.route('**/system/user/page?*pageNum=2*', (route) =>
      route.fulfill({ status: 429, json: { code: 429, message: 'Later', data: { reason: 'too_many_requests' } } }),
    )
    await matching.click()
    await page.getByRole('alert').getByText('Later').waitFor()
    await page.getByText('20 selected', { exact: true }).waitFor()
    await page.unroute('**/system/user/page?*pageNum=2*')
    await matching.click()
    await page.getByText('125 selected, 105 not on this page').waitFor()
    t.equal(await matching.count(), 0)
    await view.button('Disable')
    await says(t, page, '125 users were disabled, and their sessions have ended.')
    t.strictSame(
      await Promise.all(['user100', 'user150', 'user224', 'alice', 'admin'].map((name) => status(server, name))),
      [0, 0, 0, 1, 1],
    )
    view.end()
  },
)

test(
  'of more than 1,000 users as many as one request takes are selected, and the own account is not',
  { skip },
  async (t) => {
    const server = await startServer(t)
    for (let at = 0; at < 1005; at += 1) await server.addUser(`user${at}`)
    const { page, ...view } = await openConsole(t, server, '/users?sort=username', { name: 'users-first-1000' })
    const all = page.getByRole('checkbox', { name: 'Select all on this page' })
    await all.check()
    await view.button('Select the first 1,000, the most at a time')
    await page.getByText('999 selected, 980 not on this page').waitFor()
    await page.getByText('without your own account', { exact: true }).waitFor()
    await view.check({ title: 'Users', focus: 'body' })
    await all.uncheck()
    await page.getByText('980 selected, 980 not on this page').waitFor()
    t.equal(await page.getByText('without your own account').count(), 0)
    view.end()
  },
)

test('the menu of a row near the end of the window opens upwards', { skip }, async (t) => {
  const server = await startServer(t)
  for (let at = 10; at < 35; at += 1) await server.addUser(`user${at}`)
  const { page, ...view } = await openConsole(t, server, '/users?sort=username', { name: 'users-up' })
  const openAt = async (name: string) => {
    await page.locator(`summary[aria-label="Actions for ${name}"]`).click()
    const menu = page.locator('.menu[open] > div')
    await page.waitForFunction(() => {
      const { document, innerHeight } = globalThis as any
      return document.querySelector('.menu[open] > div').getBoundingClientRect().bottom <= innerHeight
    })
    const [box, button] = [await menu.boundingBox(), await page.locator('.menu[open]').boundingBox()]
    await page.keyboard.press('Escape')
    return (box?.y ?? 0) < (button?.y ?? 0) - 10 ? 'up' : 'down'
  }
  await page.locator('summary[aria-label="Actions for user28"]').scrollIntoViewIfNeeded()
  await page.evaluate(() => (globalThis as any).scrollTo(0, 1e6))
  await page.setViewportSize({ width: 1280, height: 720 })
  t.equal(await openAt('user15'), 'down')
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.locator('summary[aria-label="Actions for user20"]').evaluate((one) => one.scrollIntoView({ block: 'end' }))
  t.equal(await openAt('user20'), 'up')
  view.end()
})
