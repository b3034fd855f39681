import { test } from 'tap'
import { operatorActor } from '../../lib/actor.js'
import { skip } from '../helpers/browser/browser.js'
import { languages, openPage, startSignIn } from '../helpers/browser/pages.js'
import { echo } from '../helpers/service/captcha.js'
import { adminPassword, userPassword } from '../helpers/service/server.js'

const fields = { username: 'username webauthn', password: 'current-password' }

/** Whoever may administer goes on to the console, where there is one. */
const pages = { console: false }

for (const language of languages) {
  test(`a person signs in with name and password, and out, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t, { settings: { branding: { systemName: 'Example' } } })
    await server.addUser('alice', { realName: 'Alice Liddell' })
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'password', refusals: 1 })
    await view.check({ title: words['signIn'], focus: 'username', autocomplete: fields })

    await page.locator('form .primary').click()
    t.equal(await page.locator('#username-fault').innerText(), words.frame['required'])
    await view.check({ title: words['signIn'], focus: 'username' })

    await view.signIn('alice', 'wrong')
    await page.getByRole('alert').waitFor()
    await view.check({ title: words['signIn'], focus: 'password' })
    t.equal(await page.locator('[name=password]').getAttribute('aria-describedby'), 'fault')

    await page.getByRole('button', { name: words.frame['showPassword'] }).click()
    t.equal(await page.locator('[name=password]').getAttribute('type'), 'text')
    await view.signIn('alice', userPassword)
    await view.heading(words['doneHeading'])
    t.match(await page.locator('main').innerText(), 'Alice Liddell')
    await view.check({ title: words['doneTitle'], focus: 'h1' })
    t.strictSame(
      await page.evaluate(() => [
        Object.keys((globalThis as any).localStorage),
        Object.keys((globalThis as any).sessionStorage),
      ]),
      [[], []],
      'no token is stored',
    )

    await page.reload()
    await view.heading(words['doneHeading'])
    const tab = await page.context().newPage()
    await tab.goto(`${view.origin}/sign-in/forgot`)
    await tab.goto(`${view.origin}/sign-in?next=/health/live`)
    await tab.waitForURL(`${view.origin}/health/live`)
    await tab.goto(`${view.origin}/sign-in?lang=${language}`)
    await tab.getByRole('heading', { name: words['doneHeading'] }).waitFor()

    await view.button(words.frame['signOut'])
    await view.heading(/Example/)
    await page.locator('.notice.good', { hasText: words['ends'].signedOut }).waitFor()
    await tab.getByRole('heading', { name: /Example/ }).waitFor()
    await page.reload()
    await view.heading(/Example/)
    t.equal(await page.locator('.notice').count(), 0, 'once')
    const { accessToken: token } = await server.signIn('alice', userPassword)
    t.equal((await server.call('GET', '/auth/sessions', { token })).body.data.length, 1, 'the session has ended')
    view.end()
  })

  test(
    `who signs in by a contact that is not verified is told to use the user name, in ${language}`,
    { skip },
    async (t) => {
      const server = await startSignIn(t)
      await server.addUser('alice', { email: 'alice@example.com', phone: '13800138000' })
      const opening = { language, name: 'unverified-contact', refusals: 3 }
      const { words, page, ...view } = await openPage(t, server, '/sign-in', opening)
      for (const name of ['alice@example.com', '138 0013 8000']) {
        await view.signIn(name, userPassword)
        await page.getByRole('alert').getByText(words['unverified']).waitFor()
        await view.check({ title: words['signIn'], focus: 'password' })
      }
      await view.signIn('alice', 'wrong')
      await page.getByText(words['unverified']).waitFor({ state: 'detached' })
      await page.getByRole('alert').waitFor()
      t.notMatch(await page.locator('main').innerText(), words['unverified'], 'a name is no contact')
      await view.signIn('alice', userPassword)
      await view.heading(words['doneHeading'])
      view.end()
    },
  )

  test(`a banned person reads until when, in the time zone of the browser, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    const { id: alice } = await server.addUser('alice')
    const { id: bert } = await server.addUser('bert')
    await server.operator.ban(alice)
    await server.app.management.bans.ban(operatorActor(), bert, undefined, 'x')
    const opening = { language, name: 'banned', refusals: 2 }
    const { words, page, ...view } = await openPage(t, server, '/sign-in', opening)
    /** Ten minutes later, as the browser writes it. */
    const end = () =>
      page.evaluate(
        (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.now() + 600_000),
        language === 'zh' ? 'zh-CN' : 'en',
      )
    const possible = [await end()]
    await view.signIn('alice', userPassword)
    await page.getByRole('alert').waitFor()
    possible.push(await end())
    const { bannedUntil, banned, gap, retryIn } = words.frame as any
    const left = retryIn(language === 'zh' ? '10 分钟' : '10 minutes')
    const text = await page.getByRole('alert').innerText()
    t.ok(
      possible.some((time) => text === `${bannedUntil(time)}${gap}${left}`),
      text,
    )
    await view.check({ title: words['signIn'], focus: 'alert' })
    t.equal(await page.locator('#username-fault').count(), 0)
    await view.signIn('bert', userPassword)
    await page.getByRole('alert').getByText(banned, { exact: true }).waitFor()
    view.end()
  })

  test(`a password that is temporary is changed first, whoever has set it, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    await server.addUser('alice', { forcePasswordChange: true })
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'change', refusals: 1 })
    await view.signIn('alice', userPassword)
    await view.heading(words['changeHeading'])
    await view.check({
      title: words['changeTitle'],
      focus: 'newPassword',
      autocomplete: { username: 'username', newPassword: 'new-password' },
    })
    t.equal(await page.locator('[name=username]').inputValue(), 'alice', 'a password manager learns the name')
    t.notMatch(await page.locator('main').innerText(), /administrator|管理员/i, 'the first start may have made it')
    await view.send({ newPassword: 'alice-2026' })
    await page.locator('#newPassword-fault').waitFor()
    await view.check({ title: words['changeTitle'], focus: 'newPassword' })
    await view.send({ newPassword: 'four plain unrelated words' })
    await view.heading(words['doneHeading'])
    view.end()
    t.equal((await server.signIn('alice', 'four plain unrelated words')).forcePasswordChange, false)
  })

  test(`the letters of a picture are asked for, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t, { environment: echo, settings: { captcha: { mode: 'always' }, pages } })
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'picture', refusals: 3 })
    const captcha = () => page.waitForResponse((response) => response.url().includes('/auth/captcha'))
    const codeIn = async (answer: ReturnType<typeof captcha>) =>
      ((await (await answer).json()) as { data: { code: string } }).data.code
    const first = captcha()
    await view.signIn('admin', adminPassword)
    await first
    await page.locator('#captcha-fault').waitFor()
    await view.check({ title: words['signIn'], focus: 'captcha', autocomplete: { ...fields, captcha: 'off' } })
    const second = captcha()
    await view.send({ captcha: 'wrong' })
    await second
    await page.locator('#captcha-fault').waitFor()
    const third = captcha()
    await view.button(words.frame['newPicture'])
    const code = await codeIn(third)
    await view.send({ captcha: code, password: 'a wrong one' })
    await page.getByRole('alert').waitFor()
    const fourth = captcha()
    await view.button(words.frame['newPicture'])
    await view.send({ captcha: await codeIn(fourth), password: adminPassword })
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`the device does a calculation in place of a picture, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t, { settings: { captcha: { mode: 'always', type: 'pow', powCost: 10 }, pages } })
    const { words, ...view } = await openPage(t, server, '/sign-in', { language, name: 'work', refusals: 1 })
    await view.signIn('admin', adminPassword)
    await view.heading(words['doneHeading'])
    view.end()
  })
}

for (const language of languages) {
  test(`an address that somebody has mistyped leads to the sign-in page, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    const { words, page, origin, ...view } = await openPage(t, server, '/sign-in', {
      language,
      name: 'missing',
      refusals: 1,
    })
    const answer = await page.goto(`${origin}/sign-in/invit`)
    t.equal(answer?.status(), 404)
    await view.heading(language === 'en' ? 'There is no such page' : '没有这个页面')
    await page.getByRole('link').click()
    await page.waitForURL(`${origin}/sign-in`)
    await view.heading(words['signIn'])
    view.end()
  })
}
