import { join } from 'node:path'
import { test } from 'tap'
import { hasRoomFor, openAccount, openConsole, says } from '../../../test/helpers/browser/account-page.js'
import { openBrowser, skip } from '../../../test/helpers/browser/browser.js'
import { send } from '../../../test/helpers/browser/swagger-ui.js'
import { languages, type Language } from '../../../test/helpers/browser/pages.js'
import { root } from '../../../test/helpers/processes/project.js'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { addApiToken } from '../../../test/helpers/service/api-tokens.js'
import { email, startWithMessages } from '../../../test/helpers/service/self-service.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { startTokens } from './start-tokens.js'

/** The words that the guest brings. */
const tokenWords = async (language: Language): Promise<Record<string, any>> => {
  const table = (await import(join(root, 'guests/tokens/pages/words.ts'))) as {
    words: Record<string, any>
    setWords: (language: Language) => void
  }
  table.setWords(language)
  return table.words
}

for (const language of languages) {
  test(
    `somebody makes a token of a part of the own permissions, copies it and ends it, in ${language}`,
    { skip },
    async (t) => {
      const { server, get } = await startTokens(t)
      await server.operator.addRole('lister', 'Lister', ['system:user:list', 'system:role:list', 'report:daily:read'])
      await server.addUser('alice', { roles: ['lister'] })
      const own = await tokenWords(language)
      const { page, words, ...view } = await openAccount(t, server, '/account/tokens', {
        language,
        name: 'tokens',
        refusals: 1,
      })
      await page.getByText(own['none']).waitFor()
      await view.check({ title: own['title'], focus: 'body' })
      await view.button(own['add'])
      await view.check({ title: own['title'], focus: 'name', autocomplete: { name: 'off' } })
      const rights = page.locator('[name=permissions]')
      t.equal(await rights.count(), 3, 'what the owner may, and nothing else')
      await page.getByText('report:daily:read').waitFor()

      await page.locator('[name=name]').fill('nightly export')
      await page.locator('[name=addresses]').fill('192.0.2.0/33')
      await view.button(own['make'])
      await page.getByRole('alert').getByText(own['chooseSome']).waitFor()
      await page.getByRole('checkbox', { name: 'system:user:list' }).check()
      await view.button(own['make'])
      await page.locator('#addresses-fault').waitFor()
      await view.check({ title: own['title'], focus: 'addresses' })
      await page.locator('[name=addresses]').fill(' 127.0.0.0/8\n\n::1 ')
      await page.locator('[name=days]').selectOption('7')
      await view.button(own['make'])
      const dialog = page.getByRole('dialog')
      await dialog.getByText(own['madeHint']).waitFor()
      await view.check({ title: own['title'], focus: 'h2' })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await dialog.getByRole('button', { name: words.frame['copy'] }).click()
      const token = await page.evaluate(() => (globalThis as any).navigator.clipboard.readText() as Promise<string>)
      t.match(token, /^rct_[0-9A-Za-z]{49}$/)
      await dialog.getByText(own['example']).click()
      const example = await dialog.locator('pre').last().innerText()
      t.equal(example, `curl -H 'Authorization: Bearer ${token}' ${view.origin}/auth/userInfo`)
      await dialog.getByRole('button', { name: own['done'] }).click()
      await dialog.waitFor({ state: 'detached' })
      const listed = page.locator('.items')
      await listed.getByText('nightly export').waitFor()
      t.notMatch(await page.content(), token.slice(8), 'it is not shown again')
      t.match(await listed.innerText(), /system:user:list/)
      expectSuccess(t, await get('/system/user/page', token))
      expectProblem(t, await get('/system/role/page', token), 'permission_denied')

      await page.reload()
      await page.getByRole('button', { name: own['endOf']('nightly export') }).click()
      await view.check({ title: own['title'], focus: 'h2' })
      await dialog.getByRole('button', { name: own['end'], exact: true }).click()
      await says(page, own['ended']('nightly export'))
      await page.getByText(own['none']).waitFor()
      expectProblem(t, await get('/system/user/page', token), 'token_ended')
      view.end()
    },
  )

  test(`an administrator adds a service account, makes its token and ends it, in ${language}`, { skip }, async (t) => {
    const { server, get } = await startTokens(t)
    await server.operator.addRole('lister', 'Lister', ['system:user:list', 'system:role:list'])
    const own = await tokenWords(language)
    const opening = { language, name: 'service', refusals: 0 }
    const { page, words, ...view } = await openConsole(t, server, '/users/new', opening)
    const { users, common, user } = words as Record<string, any>
    await page.locator('[name=userType]').selectOption('3')
    for (const name of ['phone', 'email', 'password'])
      await page.locator(`[name=${name}]`).waitFor({ state: 'detached' })
    await page.getByText(users.serviceHint).waitFor()
    await page.locator('[name=username]').fill('nightly')
    await page.getByRole('checkbox', { name: 'Lister' }).check()
    await view.check({ title: users.addTitle, focus: 'input' })
    await page.locator('form .primary').click()
    await says(page, users.added('nightly'))
    t.equal(await page.getByRole('button', { name: user.setPassword }).count(), 0)
    for (const tab of [user.factorsTab, user.identitiesTab].filter(Boolean))
      t.equal(await page.getByRole('link', { name: tab, exact: true }).count(), 0)
    await page.locator('.tabs').getByText(own['title']).click()
    await page.getByText(own['none']).waitFor()
    await view.button(own['add'])
    t.equal(await page.locator('[name=permissions]').count(), 2, 'what the role gives')
    await page.locator('[name=name]').fill('export')
    await page.getByRole('radio', { name: own['all'] }).check()
    await view.button(own['make'])
    const dialog = page.getByRole('dialog')
    const token = await dialog.locator('pre').first().innerText()
    await dialog.getByRole('button', { name: own['done'] }).click()
    expectSuccess(t, await get('/system/user/page', token))
    await page.locator('.items').getByText('export', { exact: true }).waitFor()

    await page.locator('.side').getByRole('link', { name: own['title'] }).click()
    await page.locator('tbody').getByText('export', { exact: true }).first().waitFor()
    await view.check({ title: own['title'], focus: 'main' })
    const end = page.locator('tbody td:nth-child(3)')
    t.notMatch(await end.innerText(), own['endsOn'](''), 'the heading says what it is')
    t.ok(await hasRoomFor(page, 'tbody td:nth-child(3)', ['September 30, 2026', '2026年12月30日', own['endless']]))
    t.ok(await hasRoomFor(page, 'tbody td:nth-child(4)', ['59 minutes ago', '100 days ago', own['unused']]))
    await page.getByRole('button', { name: own['endOf']('export') }).click()
    await dialog.getByRole('button', { name: own['end'], exact: true }).click()
    await says(page, own['ended']('export'))
    expectProblem(t, await get('/system/user/page', token), 'token_ended')

    await page.goto(`${view.origin}/console/users?userType=3`)
    await page.locator('tbody').getByText('nightly').first().waitFor()
    await page.getByText(common.types[3]).first().waitFor()
    view.end()
  })
}

for (const language of languages)
  test(`a service account that may do nothing gets a role before a token, in ${language}`, { skip }, async (t) => {
    const { server, admin } = await startTokens(t)
    await server.operator.addRole('empty', 'Empty', [])
    await server.operator.addRole('lister', 'Lister', ['system:user:list', 'system:role:list'])
    const json = { username: 'nightly', userType: 3 }
    const { id } = expectSuccess(t, await server.call('POST', '/system/user', { token: admin, json }))
    const own = await tokenWords(language)
    const opening = { language, name: 'no-rights' }
    const { page, words, ...view } = await openConsole(t, server, `/users/${id}/tokens`, opening)
    const add = page.getByRole('button', { name: own['add'], exact: true })
    const give = async (role: string) => {
      await page.locator('.notice').getByRole('link', { name: own['toProfile'] }).click()
      await page.getByRole('checkbox', { name: role }).check()
      await view.button(words['user'].save)
      await page.locator('.notice', { hasText: words['user'].saved }).waitFor()
      await page.locator('.tabs').getByText(own['title']).click()
    }
    await page.getByText(own['noRole']).waitFor()
    await view.check({ title: words['user'].tabOf(own['title'], 'nightly'), focus: 'main' })
    t.equal(await add.count(), 0)
    await give('Empty')
    await page.getByText(own['noRights']).waitFor()
    t.equal(await add.count(), 0)
    await give('Lister')
    await add.click()
    t.equal(await page.locator('[name=permissions]').count(), 2)
    view.end()
  })

for (const language of languages)
  test(
    `who does not see the roles of a service account gives a token all of them, in ${language}`,
    { skip },
    async (t) => {
      const { server, addService } = await startTokens(t)
      const { id } = await addService(['system:user:list'])
      const permissions = ['system:user:view', 'system:user:list', 'system:token:*']
      await signInAs(server, 'mary', { userType: 1, permissions })
      const own = await tokenWords(language)
      const opening = { language, name: 'unseen-roles', username: 'mary' }
      const { page, ...view } = await openConsole(t, server, `/users/${id}/tokens`, opening)
      await view.button(own['add'])
      t.equal(await page.getByRole('radio').count(), 1)
      t.ok(await page.getByRole('radio', { name: own['all'] }).isChecked())
      await page.locator('[name=name]').fill('export')
      await view.button(own['make'])
      await page.getByRole('dialog').getByText(own['madeHint']).waitFor()
      view.end()
    },
  )

for (const language of languages)
  test(`a new password ends the tokens where the person says so, in ${language}`, { skip }, async (t) => {
    const { server, mailServer, mailedCode } = await startWithMessages(t)
    await server.operator.addRole('lister', 'Lister', ['system:user:list'])
    await server.operator.assign('lister', 'alice')
    const { id } = (await server.app.db.users.findByUsername(1, 'alice')) ?? { id: 0 }
    const live = async () => (await server.app.db.apiTokens.liveOfUser(id, server.clock.now())).length
    await addApiToken(server.app.db, server.clock, { id, tenantId: 1 })
    const { page, words, ...view } = await openAccount(t, server, '/account/password', { language, name: 'end-tokens' })
    const box = page.locator('[name=endTokens]')
    t.notOk(await box.isChecked(), 'a change keeps them')
    await view.send({ oldPassword: userPassword, newPassword: 'violet umbrella stand' })
    await says(page, words['passwordChanged'])
    t.equal(await live(), 1)
    // The notice of it, which is no code.
    await mailServer.waitFor(1)

    await page.goto(`${view.origin}/sign-in/forgot`)
    const code = await mailedCode(() => view.send({ recipient: email }))
    await box.waitFor()
    t.ok(await box.isChecked(), 'a reset ends them')
    await view.send({ code, newPassword: 'a brand new kettle' })
    await page.waitForURL(/console|account/)
    t.equal(await live(), 0)
    view.end()
  })

test('a token is made and ended by keyboard alone', { skip }, async (t) => {
  const { server, get } = await startTokens(t)
  await server.operator.addRole('lister', 'Lister', ['system:user:list', 'system:role:list'])
  await server.addUser('alice', { roles: ['lister'] })
  const own = await tokenWords('en')
  const { page, ...view } = await openAccount(t, server, '/account/tokens', { language: 'en', name: 'keyboard' })
  await page.getByText(own['none']).waitFor()
  const { keyboard } = page
  /** Presses Tab until the element with this name has the focus. */
  const reach = async (name: string) => {
    for (let presses = 0; presses < 40; presses++) {
      await keyboard.press('Tab')
      const label = await page.evaluate(() => {
        const { activeElement: found } = (globalThis as any).document
        return String(found.getAttribute('aria-label') ?? found.labels?.[0]?.textContent ?? found.textContent)
      })
      if (label.startsWith(name)) return
    }
    t.fail(`${name} is not reached`)
  }
  await reach(own['add'])
  await keyboard.press('Enter')
  await page.locator('[name=name]').waitFor()
  await keyboard.type('nightly')
  await reach(own['ends'])
  await keyboard.press('ArrowUp')
  await reach('See the list')
  await keyboard.press('Space')
  await reach(own['make'])
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const token = await dialog.locator('pre').first().innerText()
  await reach(own['done'])
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expectSuccess(t, await get('/system/user/page', token))
  expectProblem(t, await get('/system/role/page', token), 'permission_denied')
  await page.getByRole('button', { name: own['endOf']('nightly') }).waitFor()
  await reach(own['endOf']('nightly'))
  await keyboard.press('Enter')
  await dialog.waitFor()
  await reach(own['end'])
  await keyboard.press('Enter')
  await says(page, own['ended']('nightly'))
  expectProblem(t, await get('/system/user/page', token), 'token_ended')
  view.end()
})

test('/docs takes an API token in Authorize', { skip }, async (t) => {
  const { server, addService, makeFor } = await startTokens(t)
  const { id } = await addService(['system:user:list'])
  const { token } = expectSuccess(t, await makeFor(id))
  const { page } = await openBrowser(t)
  page.setDefaultTimeout(120_000)
  await page.goto(`${server.origin}/docs/`)
  await page.locator('.opblock').first().waitFor()
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('#auth-bearer-value').fill(token)
  const box = page.locator('.auth-container', { has: page.locator('#auth-bearer-value') })
  t.match(await box.innerText(), /rct_/)
  await box.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()
  const list = await send(page, 'getUserPage')
  t.match(list, { status: '200', body: { data: { total: 2 } } })
  t.match(await send(page, 'getSessions'), { status: '403', body: { data: { reason: 'token_not_allowed' } } })
})

test('who has no permission has no page of tokens', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('bob')
  const own = await tokenWords('en')
  const { page, words } = await openAccount(t, server, '/account/tokens', { username: 'bob', name: 'none' })
  await page.getByRole('heading', { name: words['missing'] }).waitFor()
  t.equal(await page.getByRole('link', { name: own['title'] }).count(), 0)
})
