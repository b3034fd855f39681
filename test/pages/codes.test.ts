import { test } from 'tap'
import { catalogue } from '../../schemas/problems.js'
import { startSession } from '../helpers/browser/account-page.js'
import { skip } from '../helpers/browser/browser.js'
import { languages, openPage, type OpenPage, withoutAccount, wordsOf } from '../helpers/browser/pages.js'
import { pageOrigin } from '../helpers/service/passkeys.js'
import { another, codeIn, email, phone, startWithMessages, type WithMessages } from '../helpers/service/self-service.js'
import { adminPassword } from '../helpers/service/server.js'

const send = (view: Pick<OpenPage, 'send'>, messages: WithMessages, recipient: string) =>
  messages.mailedCode(() => view.send({ recipient }))

for (const language of languages) {
  test(`a code by mail or text message signs in, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in', {
      language,
      name: 'code',
      refusals: 1,
    })
    await view.check({ title: words['signIn'], focus: 'username' })
    await view.link(words['codeByMail'])
    await view.heading(words['codeTitle'])
    await view.check({ title: words['codeTitle'], focus: 'recipient', autocomplete: { recipient: 'email' } })
    const code = await send(view, messages, email)
    await page.locator('[name=code]').waitFor()
    await view.check({ title: words['codeTitle'], focus: 'code', autocomplete: { code: 'one-time-code' } })
    t.equal(await page.locator('input:visible').count(), 1, 'one field for the code')
    await view.send({ code: code === '000000' ? '000001' : '000000' })
    t.equal(await page.locator('#code-fault').innerText(), catalogue.invalid_code[language])
    await view.check({ title: words['codeTitle'], focus: 'code' })
    await view.send({ code })
    await view.heading(words['doneHeading'])
    await view.button(words.frame['signOut'])

    await view.heading(words['codeTitle'])
    await page.goto(`${view.origin}/sign-in`)
    await view.link(words['codeBySms'])
    await page.locator('[name=recipient][type=tel]').waitFor()
    await view.send({ recipient: phone })
    await page.locator('[name=code]').waitFor()
    await messages.gateway.waitFor(1)
    await view.send({ code: codeIn(messages.textMessages()[0]?.text ?? '') })
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`a further code can be asked for when its time has come, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in?way=email', {
      language,
      name: 'again',
    })
    // The clock of the browser stands until the test moves it.
    await page.clock.install()
    await send(view, messages, email)
    await page.locator('[name=code]').waitFor()
    t.equal(await page.getByRole('button', { name: words.frame['again'] }).count(), 0)
    t.match(await page.locator('form').innerText(), /60|59/)
    await page.clock.runFor(61_000)
    messages.server.clock.advance(61)
    const second = await messages.mailedCode(() => view.button(words.frame['again']))
    await view.send({ code: second })
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`a forgotten password is replaced by a code, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in', { language, name: 'forgot' })
    await view.link(words['forgotPassword'])
    await view.heading(words['forgotHeading'])
    await view.check({ title: words['forgotTitle'], focus: 'recipient', autocomplete: { recipient: 'username' } })
    const code = await send(view, messages, email)
    await page.locator('[name=code]').waitFor()
    await view.check({
      title: words['forgotTitle'],
      focus: 'code',
      autocomplete: { username: 'username', code: 'one-time-code', newPassword: 'new-password' },
    })
    await page.getByText(words['noCode']).waitFor()
    await view.send({ code, newPassword: 'four plain unrelated words' })
    await view.heading(words['doneHeading'])
    view.end()
    t.ok(await messages.server.signIn('alice', 'four plain unrelated words'))
  })

  test(
    `whoever has set a password by a code is told so on the account page, once, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t)
      const { accessToken: token } = await messages.server.signIn()
      const invitation = await messages.mailedCode(async () => {
        const user = { username: 'carol', realName: 'Carol', email: 'carol@example.com', invite: true }
        t.equal((await messages.server.call('POST', '/system/user', { token, json: user })).status, 200)
      })
      const { page, origin, ...view } = await openPage(t, messages.server, '/sign-in/forgot', { language, name: 'set' })
      const { passwordSet } = await wordsOf(language, 'account')
      const told = page.locator('.notice.good', { hasText: passwordSet })
      const newPassword = 'four plain unrelated words'
      const code = await send(view, messages, email)
      await page.locator('[name=code]').waitFor()
      await view.send({ code, newPassword })
      await told.waitFor()
      t.equal(page.url(), `${origin}/account`)
      await page.reload()
      await page.locator('[name=realName]').waitFor()
      t.equal(await told.count(), 0)
      await page.context().clearCookies()
      await page.goto(`${origin}/sign-in/invited`)
      await view.send({ recipient: 'carol@example.com', code: invitation, newPassword })
      await told.waitFor()
      view.end()
    },
  )

  test(`somebody registers where that is open, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount({ settings: { registration: { mode: 'open' } } }))
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in', {
      language,
      name: 'register',
      refusals: 2,
    })
    await view.link(words['register'])
    await view.heading(words['registerHeading'])
    await view.check({ title: words['registerTitle'], focus: 'recipient', autocomplete: { recipient: 'username' } })
    const given = { username: 'bob', password: 'four plain unrelated words' }
    const taken = await send(view, messages, email)
    await page.locator('[name=code]').waitFor()
    await view.send({ ...given, code: another(taken) })
    t.equal(await page.locator('#code-fault').innerText(), catalogue.invalid_code[language])
    await view.send({ ...given, code: taken })
    t.equal(await page.locator('#recipient-fault').innerText(), language === 'en' ? 'Is already taken' : '已被使用')
    t.equal(await page.locator('[name=recipient]').inputValue(), email)
    await view.check({ title: words['registerTitle'], focus: 'recipient' })
    const code = await send(view, messages, 'bob@example.com')
    await page.locator('[name=code]').waitFor()
    const autocomplete = { code: 'one-time-code', username: 'username', realName: 'name', password: 'new-password' }
    await view.check({ title: words['registerTitle'], focus: 'code', autocomplete })
    await view.send({ ...given, code })
    await view.heading(words['doneHeading'])
    t.match(await page.locator('main').innerText(), 'bob')
    view.end()
  })

  test(`registration that is closed says so, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in/register', {
      language,
      name: 'closed',
    })
    await view.check({ title: words['registerTitle'], focus: 'h1' })
    t.match(await page.getByRole('status').first().innerText(), words['closed'])
    await view.link(words['back'])
    await view.heading(words['signIn'])
    t.equal(await page.getByRole('link', { name: words['register'] }).count(), 0)
    view.end()
  })

  test(`an invitation is accepted by its code, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { accessToken: token } = await messages.server.signIn()
    const code = await messages.mailedCode(async () => {
      const user = { username: 'carol', realName: 'Carol', email: 'carol@example.com', invite: true }
      t.equal((await messages.server.call('POST', '/system/user', { token, json: user })).status, 200)
    })
    const { words, ...view } = await openPage(t, messages.server, '/sign-in', { language, name: 'invited' })
    await view.link(words['enterInvitation'])
    await view.heading(words['invitedHeading'])
    const autocomplete = { recipient: 'username', code: 'one-time-code', newPassword: 'new-password' }
    await view.check({ title: words['invitedHeading'], focus: 'recipient', autocomplete })
    await view.send({ recipient: 'carol@example.com', code, newPassword: 'four plain unrelated words' })
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(
    `an invitation opened where somebody is signed in says whose place is taken, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t)
      const { accessToken: token } = await messages.server.signIn()
      const code = await messages.mailedCode(async () => {
        const user = { username: 'carol', realName: 'Carol', email: 'carol@example.com', invite: true }
        t.equal((await messages.server.call('POST', '/system/user', { token, json: user })).status, 200)
      })
      const { words, page, ...view } = await openPage(t, messages.server, '/sign-in/invited', {
        language,
        name: 'invited-beside-another',
        prepare: (page) => startSession(page, pageOrigin(messages.server), 'admin', adminPassword),
      })
      await page.getByText('admin', { exact: true }).waitFor()
      await view.check({ title: words['invitedHeading'], focus: 'recipient' })
      await page.getByRole('link', { name: words['back'] }).waitFor()
      const other = await page.context().newPage()
      const asked = other.waitForRequest('**/auth/refreshToken')
      await other.goto(`${view.origin}/console/users`)
      await other.locator('tbody').waitFor()
      const { accessToken } = (await (await (await asked).response())?.json()).data
      const statusOfOther = async () =>
        (await messages.server.call('GET', '/auth/userInfo', { token: accessToken })).status
      t.equal(await statusOfOther(), 200)
      await view.send({ recipient: 'carol@example.com', code, newPassword: 'four plain unrelated words' })
      await page.waitForURL('**/account*')
      await page.locator('[name=realName][value="Carol"]').waitFor()
      await other.waitForURL('**/account*')
      await other.locator('[name=realName][value="Carol"]').waitFor()
      t.equal(await statusOfOther(), 401, 'the session that was signed out has ended')
      await other.goto(`${view.origin}/sign-in/forgot`)
      await other.reload()
      t.equal(await other.getByText(words['ends'].signedOut).count(), 0)
    },
  )

  test(
    `the button of an invitation leads to a page where the address is filled in, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t, withoutAccount({ settings: { publicUrl: 'https://id.example.com' } }))
      const { accessToken: token } = await messages.server.signIn()
      const text = await messages.mailAfter(async () => {
        const user = { username: 'carol', email: 'carol@example.com' }
        t.equal((await messages.server.call('POST', '/system/user', { token, json: user })).status, 200)
      })
      const [, target = ''] = /https:\/\/id\.example\.com(\S+)/.exec(text) ?? []
      const { words, page, ...view } = await openPage(t, messages.server, target, { language, name: 'invited-by-mail' })
      const autocomplete = { recipient: 'username', code: 'one-time-code', newPassword: 'new-password' }
      await view.check({ title: words['invitedHeading'], focus: 'code', autocomplete })
      t.equal(await page.locator('[name=recipient]').inputValue(), 'carol@example.com')
      const code = codeIn(text)
      const [newPassword, wrong] = ['four plain unrelated words', code === '000000' ? '000001' : '000000']
      const alert = page.getByText(words['tooManyCodes'])
      await view.send({ code: wrong, newPassword })
      t.equal(await page.locator('#code-fault').innerText(), words['wrongInvitation'])
      t.notMatch(await page.locator('#code-fault').innerText(), /^验证码/, 'nobody has asked for a verification code')
      for (let tries = 0; tries < 9 && !(await alert.isVisible()); tries++) {
        await view.send({ code: wrong, newPassword })
        await page.locator('form [role=alert], #code-fault').first().waitFor()
        await page.locator('form .primary:not([disabled])').waitFor()
      }
      t.ok(await alert.isVisible(), 'who has tried too often is told the way out')
      if (language === 'zh') t.match(words['newInvitationCode'], /邀请码无效.*重新获取邀请码/, 'one word for it')
      await view.link(words['newInvitationCode'])
      await view.heading(words['forgotHeading'])
      t.equal(
        await page.locator('[name=recipient]').inputValue(),
        'carol@example.com',
        'the address is filled in there, too',
      )
      const asked = await messages.mailedCode(() => page.locator('form .primary').click())
      await page.locator('[name=code]').waitFor()
      await view.send({ code: asked, newPassword })
      await view.heading(words['doneHeading'])
    },
  )

  test(`a code for a new password says to whom it can go, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { accessToken: token } = await messages.server.signIn()
    const json = { methods: [{ name: 'phone_captcha', enabled: false }] }
    t.equal((await messages.server.call('PUT', '/system/tenant/1/methods', { token, json })).status, 200)
    const opening = { language, name: 'forgot-by-phone', refusals: 2 }
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in/forgot', opening)
    await view.send({ recipient: phone })
    await page.locator('#recipient-fault', { hasText: words['noCodeTo'].email }).waitFor()
    await view.check({ title: words['forgotTitle'], focus: 'recipient' })
    await page.goto(`${view.origin}/sign-in/invited`)
    await view.send({ recipient: phone, code: '123456', newPassword: 'four plain unrelated words' })
    await page.locator('#recipient-fault', { hasText: words['noCodeTo'].email }).waitFor()
    view.end()
  })

  test(
    `a text that is no address is marked as such where codes go by mail alone, in ${language}`,
    { skip },
    async (t) => {
      const settings = { registration: { mode: 'open' }, sms: { sender: 'none' } }
      const messages = await startWithMessages(t, withoutAccount({ settings }))
      const opening = { language, name: 'no-address', refusals: 3 }
      const { words, page, ...view } = await openPage(t, messages.server, '/sign-in/forgot', opening)
      const said = page.locator('#recipient-fault', { hasText: words.frame['mustBe'].email })
      await view.send({ recipient: 'adminexample' })
      await said.waitFor()
      await view.check({ title: words['forgotTitle'], focus: 'recipient' })
      await page.goto(`${view.origin}/sign-in?way=email`)
      await view.send({ recipient: 'adminexample' })
      await said.waitFor()
      await page.goto(`${view.origin}/sign-in/register`)
      await view.send({ recipient: 'adminexample' })
      await said.waitFor()
      await view.check({ title: words['registerTitle'], focus: 'recipient' })
      await page.goto(`${view.origin}/sign-in/invited`)
      await view.send({ recipient: 'adminexample', code: '123456', newPassword: 'four plain unrelated words' })
      await said.waitFor()
      view.end()
    },
  )

  test(`a code that was sent before a reload can still be typed, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount({ settings: { registration: { mode: 'open' } } }))
    const opening = { language, name: 'code-after-reload', refusals: 3 }
    const { words, page, ...view } = await openPage(t, messages.server, '/sign-in?way=email', opening)
    const newPassword = 'four plain unrelated words'
    const sendTwice = async (recipient: string) => {
      const code = await send(view, messages, recipient)
      await page.locator('[name=code]').waitFor()
      await page.reload()
      await view.send({ recipient })
      await page.getByText(words.frame['sentBefore']).first().waitFor()
      return code
    }
    const code = await sendTwice(email)
    await view.check({ title: words['codeTitle'], focus: 'code', autocomplete: { code: 'one-time-code' } })
    t.match(await page.locator('form').innerText(), /60|5\d/, 'the next one can be asked for later')
    await view.send({ code })
    await view.heading(words['doneHeading'])

    messages.server.clock.advance(61)
    await page.goto(`${view.origin}/sign-in/forgot`)
    await view.send({ code: await sendTwice(email), newPassword })
    await view.heading(words['doneHeading'])

    await page.goto(`${view.origin}/sign-in/register`)
    await view.send({ code: await sendTwice('bob@example.com'), username: 'bob', password: newPassword })
    await view.heading(words['doneHeading'])
    view.end()
  })
}
