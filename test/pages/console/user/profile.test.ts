import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { openConsole, signInAgain, stored } from '../../../helpers/browser/account-page.js'
import { skip } from '../../../helpers/browser/browser.js'
import { languages } from '../../../helpers/browser/pages.js'
import { startServer, type TestServer } from '../../../helpers/service/server.js'

/** What could become markup. */
const hostile = '<img src=x onerror=alert(1)>{{7*7}}'

const fields = {
  username: 'off',
  realName: 'off',
  phone: 'off',
  email: 'off',
  roleSearch: 'off',
}

const value = (page: Page, name: string) => page.locator(`[name=${name}]`).inputValue()

/** Somebody else changes the account over the API. */
const changeElsewhere = async (server: TestServer, id: number, json: object) => {
  const { accessToken: token } = await server.signIn()
  server.clock.advance(1)
  const answer = await server.call('PATCH', `/system/user/${id}`, { token, json })
  if (answer.status !== 200) throw new Error(answer.text)
}

for (const language of languages) {
  test(`the fields of a user are changed, only those, and back again, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.operator.addRole('editor', hostile, [])
    const { id } = await server.addUser('alice', { realName: 'Alice', remark: hostile, phone: '13800138000' })
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, { language, name: 'user' })
    const { user } = words
    const editor = page.getByRole('checkbox', { name: 'editor' })
    await page.locator('[name=realName]').waitFor()
    await page.getByText(hostile).first().waitFor()
    await view.check({ title: 'Alice', focus: 'main', autocomplete: fields })
    t.equal(await value(page, 'remark'), hostile)
    t.equal(await value(page, 'phone'), '+8613800138000')

    await page.locator('[name=realName]').fill('Alice Liddell')
    await page.getByText(user['notSaved'](1), { exact: true }).waitFor()
    await editor.check()
    await page.getByText(user['notSaved'](2), { exact: true }).waitFor()
    await view.check({ title: 'Alice', focus: 'input' })
    await view.button(user['discard'])
    t.equal(await value(page, 'realName'), 'Alice')
    t.notOk(await editor.isChecked())

    await page.locator('[name=realName]').fill('Alice Liddell')
    await page.locator('[name=phone]').fill('')
    await page.locator('[name=gender]').selectOption('2')
    await editor.check()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    const { updateTime } = (
      await server.call('GET', `/system/user/${id}`, { token: (await server.signIn()).accessToken })
    ).body.data
    await view.button(user['save'])
    const request = await sent
    const body = { realName: 'Alice Liddell', phone: null, gender: 2, roleKeys: ['editor'] }
    t.strictSame(request.postDataJSON(), body)
    t.equal(request.headers()['if-match'], `"${updateTime}"`)
    await page.locator('.notice', { hasText: user['saved'] }).waitFor()
    await view.heading('Alice Liddell')
    t.match(await stored(server, 'alice'), { realName: 'Alice Liddell', phone: null, gender: 2, remark: hostile })
    await view.check({ title: 'Alice Liddell', focus: 'p' })
    await view.button(words.frame['undo'])
    await page.locator('.notice', { hasText: words.frame['undone'] }).waitFor()
    t.match(await stored(server, 'alice'), { realName: 'Alice', phone: '13800138000', gender: 0 })
    t.equal(await page.locator('main img').count(), 0, 'markup is text')

    await page.locator('[name=realName]').fill('Alice Pleasance')
    await page.keyboard.press('Enter')
    await view.heading('Alice Pleasance')
    await page.locator('.notice', { hasText: user['saved'] }).waitFor()
    t.match(await page.title(), 'Alice Pleasance')
    t.ok(await page.locator('[name=realName]').evaluate((one) => one.matches(':focus')), 'who types goes on')
    view.end()
  })

  test(
    `a picture that the list of users leaves out is on the page of the user, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      const { id } = await server.addUser('alice')
      const canvas = createCanvas(256, 256)
      const context = canvas.getContext('2d')
      for (let x = 0; x < 256; x += 3) {
        context.fillStyle = `hsl(${(x * 7) % 360} 80% 50%)`
        context.fillRect(x, 0, 3, 256)
      }
      const avatar = `data:image/jpeg;base64,${canvas.toBuffer('image/jpeg').toString('base64')}`
      t.ok(avatar.length > 2000)
      await server.app.db.users.change(id, { avatar }, server.clock.now())
      const { page, origin, ...view } = await openConsole(t, server, `/users/${id}`, { language, name: 'user-picture' })
      await page.locator('aside img.face.large').waitFor()
      t.equal(await page.locator('aside img.face').evaluate((image: any) => image.naturalWidth as number), 256)
      await view.check({ title: 'alice', focus: 'main' })
      await page.goto(`${origin}/console/users`)
      await page.getByRole('link', { name: 'alice' }).waitFor()
      t.equal(await page.locator('main img').count(), 0)
      view.end()
    },
  )
  test(`a service account, which has no contacts, is changed as others are, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.operator.addRole('lister', 'Lister', ['system:user:list'])
    const { accessToken: token } = await server.signIn()
    const json = { username: 'nightly', userType: 3 }
    const { id } = (await server.call('POST', '/system/user', { token, json })).body.data
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, { language, name: 'service' })
    const { user } = words
    await page.locator('[name=remark]').fill('exports at night')
    await page.locator('[name=realName]').fill('Nightly export')
    await page.getByRole('checkbox', { name: 'Lister' }).check()
    await page.getByText(user['notSaved'](3), { exact: true }).waitFor()
    await view.button(user['save'])
    await page.locator('.notice', { hasText: user['saved'] }).waitFor()
    const wanted = { remark: 'exports at night', realName: 'Nightly export', phone: null, email: null }
    t.match(await stored(server, 'nightly'), wanted)
    await view.heading('Nightly export')
    await page.locator('[name=remark]').fill('exports by day')
    await view.button(user['discard'])
    await page.locator('.tabs').getByText(user['audit']).click()
    await page.locator('table.audit').waitFor()
    t.equal(await page.locator('[name=remark]').count(), 0, 'the other tab is shown')
    view.end()
  })

  test(`what the server refuses stands at its field, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    const opening = { language, name: 'bad', refusals: 1 }
    const { page, words, ...view } = await openConsole(t, server, `/users/${id}`, opening)
    const saved = page.locator('.notice', { hasText: words['user']['saved'] })
    await page.locator('[name=remark]').fill('on leave')
    await page.locator('form .primary').click()
    await saved.waitFor()
    await page.locator('[name=email]').fill('alice@')
    await page.locator('form .primary').click()
    await page.locator('#email-fault').waitFor()
    t.equal(await saved.count(), 0, 'what was saved before is not said of this change')
    await view.check({ title: 'alice', focus: 'email' })
    view.end()
  })

  test(`of two versions the person chooses theirs, or the own one over it, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice', { realName: 'Alice', remark: 'first' })
    const opening = { language, name: 'conflict', refusals: 2 }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, opening)
    const { user } = words
    await page.locator('[name=remark]').fill('mine')
    await changeElsewhere(server, id, { remark: hostile, gender: 2 })
    await view.button(user['save'])
    const dialog = page.getByRole('dialog', { name: user['conflict'] })
    await dialog.waitFor()
    t.strictSame(await dialog.locator('tbody td').allInnerTexts(), [
      ...[user['fields'].gender, (words as any)['common'].genders[2], user['notChanged']],
      ...[user['fields'].remark, hostile, 'mine'],
    ])
    await view.check({ title: 'Alice', focus: 'h2' })
    await view.button(user['keepTheirs'])
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.notice', { hasText: user['theirsKept'] }).waitFor()
    t.equal(await value(page, 'remark'), hostile)
    t.equal((await stored(server, 'alice')).remark, hostile)

    await page.locator('[name=remark]').fill('mine')
    await changeElsewhere(server, id, { remark: 'theirs', gender: 1, userStatus: 0 })
    await view.button(user['save'])
    await dialog.getByText((words as any)['common'].statuses[0]).waitFor()
    t.equal((await stored(server, 'alice')).remark, 'theirs', 'nothing is overwritten unasked')
    await view.button(user['saveMine'])
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.notice', { hasText: user['saved'] }).waitFor()
    t.match(await stored(server, 'alice'), { remark: 'mine', gender: 1, userStatus: 0 })
    view.end()
  })

  test(`a session that ends while a user is changed keeps the form, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await server.operator.addRole('manager', 'Manager', ['system:user:*', 'system:role:list'])
    await server.addUser('mary', { roles: ['manager'] })
    const opening = { language, name: 'ended', username: 'mary', refusals: 1 }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, opening)
    await page.locator('[name=remark]').fill('on leave')
    // The roles come after the page, and their refusal would ask for the sign-in, too.
    await view.answered()
    const { accessToken: token } = await server.signIn('mary')
    await server.call('DELETE', '/auth/sessions', { token })
    await view.button(words['user']['save'])
    await page.getByText(words.frame['sessionEnded']).waitFor()
    await view.check({ title: 'alice', focus: 'a' })
    await signInAgain(page, 'mary')
    await page.locator('.notice', { hasText: words['user']['saved'] }).waitFor()
    t.equal((await stored(server, 'alice')).remark, 'on leave')
    view.end()
  })

  test(`who may only read sees texts and no buttons, contacts masked, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice', { remark: hostile, phone: '13800138000' })
    await server.operator.addRole('reader', 'Reader', ['system:user:view'])
    await server.addUser('rita', { roles: ['reader'] })
    const opening = { language, name: 'reader', username: 'rita' }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, opening)
    await page.getByText(hostile).waitFor()
    await page.getByText('138******8000').waitFor()
    await view.check({ title: 'alice', focus: 'main', autocomplete: {} })
    t.equal(await page.locator('main').getByRole('button').count(), 0)
    t.strictSame(await page.locator('.tabs a').allInnerTexts(), [words['user']['profile'], words['user']['factors']])
    t.equal(await page.locator('main img').count(), 0, 'markup is text')
    view.end()
  })

  test(`contacts that the person does not see are left alone, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice', { phone: '13800138000', email: 'alice@example.com' })
    await server.operator.addRole('manager', 'Manager', ['system:user:view', 'system:user:edit'])
    await server.addUser('mary', { roles: ['manager'] })
    const opening = { language, name: 'masked', username: 'mary' }
    const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, opening)
    await page.getByText(words['user']['masked']).first().waitFor()
    await view.check({ title: 'alice', focus: 'main' })
    t.equal(await value(page, 'phone'), '138******8000')
    t.equal(await page.locator('[name=phone]').getAttribute('readonly'), '')
    await page.locator('[name=remark]').fill('on leave')
    await view.button(words['user']['save'])
    await page.locator('.notice', { hasText: words['user']['saved'] }).waitFor()
    t.match(await stored(server, 'alice'), { phone: '13800138000', email: 'alice@example.com', remark: 'on leave' })
    view.end()
  })
}

test('a change that nobody sees in the form, such as a password, asks for no choice', { skip }, async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { words, page, ...view } = await openConsole(t, server, `/users/${id}`, { name: 'unseen', refusals: 1 })
  await page.locator('[name=remark]').fill('mine')
  for (const userStatus of [0, 1]) await changeElsewhere(server, id, { userStatus })
  await view.button(words['user']['save'])
  await page.locator('.notice', { hasText: words['user']['saved'] }).waitFor()
  t.equal((await stored(server, 'alice')).remark, 'mine')
  view.end()
})
