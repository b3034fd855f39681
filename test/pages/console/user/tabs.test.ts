import { test } from 'tap'
import { loadedRow, openConsole } from '../../../helpers/browser/account-page.js'
import { skip } from '../../../helpers/browser/browser.js'
import { languages } from '../../../helpers/browser/pages.js'
import { enrol, firstStep, proveInSessions, secondStep } from '../../../helpers/service/factors.js'
import { startServer, userPassword, type TestServer } from '../../../helpers/service/server.js'

/** What could become markup. Headers have no characters beyond Latin-1. */
const hostile = '<img src=x onerror=alert(1)>{{7*7}}'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

const signInFrom = async (server: TestServer, username: string, userAgent: string): Promise<string> => {
  const json = { username, password: userPassword }
  const answer = await server.call('POST', '/auth/login', { json, headers: { 'user-agent': userAgent } })
  return answer.body.data.accessToken as string
}
const statusOf = async (server: TestServer, token: string) =>
  (await server.call('GET', '/auth/userInfo', { token })).status

for (const language of languages) {
  test(`the second factors of a user are shown and reset, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    const app = await enrol(t, server, await signInFrom(server, 'alice', firefox), { name: hostile })
    const { ticket } = (await firstStep(server, 'alice')).body.data
    const trusting = { ticket, code: app.nextCode(), trustDevice: true }
    const token: string = (await secondStep(server, trusting, { 'user-agent': hostile })).body.data.accessToken
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}/factors`, { language, name: 'factors' })
    const { user } = words
    await page.getByText(hostile).waitFor()
    await page.getByText(user['codesLeft'](10)).waitFor()
    await page.locator(`[title="${hostile}"]`).waitFor()
    await view.check({ title: user['tabOf'](user['factors'], 'alice'), focus: 'main' })
    t.equal(await page.locator('main img').count(), 0, 'markup is text')
    t.equal(await page.locator('.tabs [aria-current=page]').innerText(), user['factors'])
    t.equal(await page.getByRole('navigation', { name: 'alice' }).count(), 1)

    await proveInSessions(server)
    await view.button(user['makeExempt'])
    await page.getByText(user['exempt'], { exact: true }).waitFor()
    await view.button(words.frame['undo'])
    await page.getByText(user['notExempt'], { exact: true }).waitFor()

    // Without anything that could ask for one there is nothing to be exempt from.
    const path = `**/system/user/${id}/factors`
    await page.route(path, async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, policy: 'off' } } })
    })
    await page.reload()
    await page.getByText(user['policies'].off).waitFor()
    t.equal(await page.getByRole('button', { name: user['makeExempt'] }).count(), 0)
    await page.unroute(path)
    await page.reload()
    await page.getByRole('button', { name: user['makeExempt'] }).waitFor()

    await view.button(user['resetFactors'])
    const dialog = page.getByRole('dialog', { name: user['resetTitle']('alice') })
    await dialog.waitFor()
    await view.check({ title: user['tabOf'](user['factors'], 'alice'), focus: 'h2' })
    await dialog.getByRole('button', { name: user['resetFactors'] }).click()
    await page.locator('.notice', { hasText: user['factorsReset'] }).waitFor()
    await page.getByText(user['noFactors']).waitFor()
    await page.getByText(user['noDevices']).waitFor()
    t.equal(await statusOf(server, token), 401)
    await server.signIn('alice')
    view.end()
  })

  test(`factors are reset from the profile, too, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await enrol(t, server, (await server.signIn('alice')).accessToken)
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, { language, name: 'reset' })
    const { user } = words
    await view.button(user['resetFactors'])
    await page.getByRole('dialog').getByText(user['resetUntold']).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: user['resetFactors'] }).click()
    await page.locator('.notice', { hasText: user['factorsReset'] }).waitFor()
    await page.getByRole('button', { name: user['resetFactors'] }).waitFor({ state: 'detached' })
    await server.signIn('alice')
    view.end()
  })

  test(`the sessions of a user are shown and ended, one and all, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await server.addUser('bobby')
    const other = await signInFrom(server, 'bobby', firefox)
    const one = await signInFrom(server, 'alice', hostile)
    const more = [await signInFrom(server, 'alice', firefox), await signInFrom(server, 'alice', firefox)]
    const opening = { language, name: 'user-sessions' }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}/sessions`, opening)
    const { user } = words
    await page.locator(`main [title="${hostile}"]`).waitFor()
    await view.check({ title: user['tabOf'](user['sessions'], 'alice'), focus: 'main' })
    t.equal(await page.locator('main .items > li').count(), 3)
    const end = page.getByRole('button', { name: user['endSession'](words.frame['unknownDevice']) })
    await end.click()
    await end.waitFor({ state: 'detached' })
    t.equal(await statusOf(server, one), 401)
    await view.button(user['endAll'])
    const dialog = page.getByRole('dialog', { name: user['endAllTitle'](2) })
    await dialog.waitFor()
    await view.check({ title: user['tabOf'](user['sessions'], 'alice'), focus: 'h2' })
    await dialog.getByRole('button', { name: user['endAll'] }).click()
    await page.locator('.notice', { hasText: user['sessionsEnded'](2) }).waitFor()
    await page.getByText(user['noSessions']).waitFor()
    await view.check({ title: user['tabOf'](user['sessions'], 'alice'), focus: 'p' })
    for (const token of more) t.equal(await statusOf(server, token), 401)
    t.equal(await statusOf(server, other), 200, 'those of others stay')
    view.end()
  })

  test(`the linked accounts of a user are shown and removed, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await server.app.db.identities.add({
      userId: id,
      tenantId: 1,
      platform: 'github',
      issuer: 'https://github.com',
      subject: '42',
      displayName: hostile,
      createTime: server.clock.now(),
    })
    const opening = { language, name: 'user-identities' }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}/identities`, opening)
    const { user } = words
    await page.getByText(hostile).waitFor()
    await view.check({ title: user['tabOf'](user['identities'], 'alice'), focus: 'main' })
    await page.locator('main .items').getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await view.check({ title: user['tabOf'](user['identities'], 'alice'), focus: 'h2' })
    await dialog.getByRole('button', { name: user['remove'] }).click()
    await page.locator('.notice', { hasText: user['identityRemoved'] }).waitFor()
    await page.getByText(user['noIdentities']).waitFor()
    t.strictSame(await server.app.db.identities.ofUser(id), [])
    t.equal(await page.locator('main img').count(), 0, 'markup is text')
    view.end()
  })

  test(`the sign-ins of a user, and of nobody else, are paged, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await server.addUser('bobby')
    await server.signIn('bobby')
    await signInFrom(server, 'alice', hostile)
    await signInFrom(server, 'alice', firefox)
    const opening = { language, name: 'user-sign-ins' }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}/sign-ins`, opening)
    const { user } = words
    await page.locator(loadedRow).nth(1).waitFor()
    await view.check({ title: user['tabOf'](user['signIns'], 'alice'), focus: 'main' })
    t.equal(await page.locator(loadedRow).count(), 2)
    t.equal(await page.locator(`td[title="${hostile}"]`).count(), 1)
    t.equal(await page.locator('main img').count(), 0, 'markup is text')
    await page.locator('.tabs').getByRole('link', { name: user['audit'] }).click()
    await page.getByText(words['audit']['none'], { exact: true }).waitFor()
    await view.check({ title: user['tabOf'](user['audit'], 'alice'), focus: 'main' })
    view.end()
  })

  test(`the audit trail of a user shows what was before and after, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice', { remark: 'first' })
    const { id: other } = await server.addUser('bobby')
    const { accessToken: token } = await server.signIn()
    await server.call('PATCH', `/system/user/${id}`, { token, json: { remark: hostile, gender: 2 } })
    await server.call('POST', `/system/user/${id}/disable`, { token })
    await server.call('POST', `/system/user/${other}/disable`, { token })
    const opening = { language, name: 'user-audit' }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}/audit`, opening)
    const { user } = words
    const { genders } = (words as any)['common']
    const buttons = page.locator('tbody button[aria-expanded]')
    await buttons.nth(1).waitFor()
    t.equal(await buttons.count(), 2)
    const { actions } = (words as any)['audit']
    const edited = page.getByRole('button', { name: actions['user.edit'] })
    t.equal(await edited.getAttribute('aria-expanded'), 'false')
    await edited.focus()
    await page.keyboard.press('Enter')
    const rows = page.locator('.diff tbody tr')
    await rows.nth(1).waitFor()
    t.equal(await edited.getAttribute('aria-expanded'), 'true')
    t.strictSame((await rows.allInnerTexts()).map((text) => text.split('\t')).toSorted(), [
      ['gender', genders[0], genders[2]],
      ['remark', 'first', hostile],
    ])
    await view.check({ title: user['tabOf'](user['audit'], 'alice'), focus: 'button' })
    await edited.click()
    await rows.first().waitFor({ state: 'detached' })
    t.equal(await page.locator('main img').count(), 0, 'markup is text')
    view.end()
  })
}

test('who may only look ends no session, resets no factor and removes no linked account', { skip }, async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  await enrol(t, server, await signInFrom(server, 'alice', firefox))
  await server.operator.addRole('viewer', 'Viewer', ['system:user:view', 'system:session:list'])
  await server.addUser('vera', { roles: ['viewer'] })
  const opening = { name: 'viewer', username: 'vera' }
  const { words, page, origin, ...view } = await openConsole(t, server, `/users/${id}/sessions`, opening)
  const { user } = words
  await page.locator('main .items > li').waitFor()
  t.strictSame(await page.locator('.tabs a').allInnerTexts(), [user['profile'], user['factors'], user['sessions']])
  t.equal(await page.locator('main').getByRole('button').count(), 0)
  await view.link(user['factors'])
  await page.getByText(user['codesLeft'](10)).waitFor()
  t.equal(await page.locator('main').getByRole('button').count(), 0)
  for (const tab of ['identities', 'sign-ins', 'audit']) {
    await page.goto(`${origin}/console/users/${id}/${tab}`)
    await view.heading(words['common']['missing'])
  }
  view.end()
})

test('a change of the tab sends one request', { skip }, async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, { name: 'one-request' })
  const { user } = words
  await page.locator('[name=remark]').waitFor()
  await page.getByRole('checkbox').first().waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await view.link(user['factors'])
  await page.getByText(user['noFactors']).waitFor()
  await page.locator('.tabs').getByRole('link', { name: user['signIns'] }).click()
  await page.getByText(user['noSignIns'], { exact: true }).waitFor()
  t.strictSame(asked, [`/system/user/${id}/factors`, '/system/login-log/page'])
  view.end()
})
