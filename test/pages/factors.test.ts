import { test, type Test } from 'tap'
import { catalogue } from '../../schemas/problems.js'
import { skip } from '../helpers/browser/browser.js'
import { languages, openPage, startSignIn, withoutAccount } from '../helpers/browser/pages.js'
import { codeAt, enrol } from '../helpers/service/factors.js'
import { another, email, startWithMessages } from '../helpers/service/self-service.js'
import { userPassword, type ServerOptions } from '../helpers/service/server.js'

const required: ServerOptions = { settings: { secondFactor: { policy: 'required', graceDays: 0 } } }
const withApp = async (t: Test, options?: ServerOptions) => {
  const server = await startSignIn(t, options)
  await server.addUser('alice')
  const { accessToken } = await server.signIn('alice')
  return { server, app: await enrol(t, server, accessToken) }
}

for (const language of languages) {
  test(`the second step takes a code of an app, and trusts the device, in ${language}`, { skip }, async (t) => {
    const { server, app } = await withApp(t)
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'factor', refusals: 3 })
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    await view.check({
      title: words['factorTitle'],
      focus: 'code',
      autocomplete: { username: 'username', code: 'one-time-code' },
    })
    await page.locator('summary', { hasText: words['lost'] }).click()
    const advice = await page.locator('details p').innerText()
    for (const part of ['npx rollcall user reset-factors', 'DATA_DIR']) t.match(advice, part)
    await view.send({ code: codeAt(app.secret, server.clock.now() - 300_000) })
    const told = await page.locator('#code-fault').innerText()
    t.match(told, language === 'en' ? ' 5 minutes ' : ' 5 分钟前', 'the clock of the phone is told, as at the set-up')
    await page.getByLabel(words['trust'](language === 'en' ? '30 days' : '30 天')).check()
    await view.send({ code: app.nextCode() })
    await view.heading(words['doneHeading'])
    await view.button(words.frame['signOut'])
    await view.signIn('alice', userPassword)
    await view.heading(words['doneHeading'])

    const other = await server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword } })
    t.equal(other.status, 403, 'another browser is not trusted')
    await page.context().clearCookies()
    await view.button(words.frame['signOut'])
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    await view.button(words['recoveryCode'])
    await page.locator('#code-hint').waitFor()
    await view.check({ title: words['factorTitle'], focus: 'code' })
    await view.send({ code: app.recoveryCodes[0] ?? '' })
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`factors that are removed meanwhile lead back to the start, in ${language}`, { skip }, async (t) => {
    const { server } = await withApp(t)
    const opening = { language, name: 'factors-removed', refusals: 2 }
    const { words, ...view } = await openPage(t, server, '/sign-in', opening)
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    const { accessToken: token } = await server.signIn()
    const { id = 0 } = (await server.app.db.users.findByUsername(1, 'alice')) ?? {}
    t.equal((await server.call('DELETE', `/system/user/${id}/factors`, { token })).status, 200)
    await view.send({ code: '123456' })
    await view.page.getByText(words['factorsChanged']).waitFor()
    await view.signIn('alice', userPassword)
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`after a code by mail, too, the start says why it is back, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t, withoutAccount())
    const { server } = messages
    await enrol(t, server, (await server.signIn('alice')).accessToken)
    const opening = { language, name: 'factors-removed-after-code', refusals: 2 }
    const { words, page, ...view } = await openPage(t, server, '/sign-in?way=email', opening)
    const code = await messages.mailedCode(() => view.send({ recipient: email }))
    await view.send({ code })
    await view.heading(words['factorHeading'])
    const { accessToken: token } = await server.signIn()
    const { id = 0 } = (await server.app.db.users.findByUsername(1, 'alice')) ?? {}
    t.equal((await server.call('DELETE', `/system/user/${id}/factors`, { token })).status, 200)
    await view.send({ code: '123456' })
    await page.getByRole('alert').getByText(words['factorsChanged']).waitFor()
    await view.heading(words['codeTitle'])
    view.end()
  })

  test(`where no device may be trusted, the second step does not offer it, in ${language}`, { skip }, async (t) => {
    const { server } = await withApp(t, { settings: { secondFactor: { trustDays: 0 } } })
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'no-trust', refusals: 1 })
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    t.equal(await page.getByRole('checkbox').count(), 0)
    view.end()
  })

  test(`the way back from the second step leads to the start, in ${language}`, { skip }, async (t) => {
    const { server } = await withApp(t)
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'back', refusals: 2 })
    for (const leave of [() => page.goBack(), () => view.button(words['notYou'])]) {
      await view.signIn('alice', userPassword)
      await view.heading(words['factorHeading'])
      await leave()
      await page.locator('[name=password]').waitFor()
      t.equal(await page.locator('[name=password]').inputValue(), '', 'the password is not there any more')
    }
    view.end()
  })

  test(`when the time of the second step is over, the page says so, in ${language}`, { skip }, async (t) => {
    const { server } = await withApp(t)
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'late', refusals: 1 })
    await page.clock.install()
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    await page.clock.runFor(545_000)
    t.equal(await page.locator('.sr[role=status]').innerText(), words['oneMinute'])
    await page.clock.runFor(60_000)
    t.match(await page.getByRole('alert').innerText(), words['tooLate'])
    view.end()
  })

  test(`a factor that the policy asks for is set up by an app, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t, required)
    await server.addUser('alice')
    const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'set-up', refusals: 2 })
    await view.signIn('alice', userPassword)
    await view.heading(words['setUpHeading'])
    await view.check({ title: words['setUpTitle'], focus: 'h1' })
    await view.button(words['setUpApp'])
    await page.getByRole('img', { name: words.frame['qrCode'] }).waitFor()
    await view.check({ title: words['setUpTitle'], focus: 'code', autocomplete: { code: 'one-time-code' } })
    await view.send({ code: '000000' })
    await page.locator('#code-fault').waitFor()
    const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '')
    await view.send({ code: codeAt(secret, server.clock.now()) })
    await view.heading(words['codesHeading'])
    await view.check({ title: words['codesTitle'], focus: 'h1' })
    t.equal(await page.locator('.codes li').count(), 10)
    const download = page.waitForEvent('download')
    await view.button(words.frame['save'])
    t.equal((await download).suggestedFilename(), 'recovery-codes.txt')
    await page.locator('form .primary').click()
    await page.getByRole('alert').waitFor()
    await page.locator('[name=kept]').check()
    await page.locator('form .primary').click()
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(
    `a factor that the policy asks for needs a code to the verified contact first, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t, withoutAccount(required))
      const { server, alice } = messages
      await server.app.accounts.writes.verifyContact(server.app.db, alice.id, { kind: 'email', text: email })
      const name = 'set-up-contact'
      const { words, page, ...view } = await openPage(t, server, '/sign-in', { language, name, refusals: 2 })
      await view.signIn('alice', userPassword)
      await view.heading(words['setUpHeading'])
      await view.check({ title: words['setUpTitle'], focus: 'h1' })
      t.match(await page.locator('form').innerText(), 'a******e@example.com')
      t.equal(await page.getByRole('button', { name: words['setUpApp'] }).count(), 0)
      const code = await messages.mailedCode(() => view.button(words['sendCode']))
      await page.locator('[name=contactCode]').waitFor()
      await view.check({
        title: words['setUpTitle'],
        focus: 'contactCode',
        autocomplete: { contactCode: 'one-time-code' },
      })
      await view.send({ contactCode: another(code) })
      t.equal(await page.locator('#contactCode-fault').innerText(), catalogue.invalid_code[language])
      await view.send({ contactCode: code })
      await view.button(words['setUpApp'])
      await page.getByRole('img', { name: words.frame['qrCode'] }).waitFor()
      const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '')
      await view.send({ code: codeAt(secret, server.clock.now()) })
      await view.heading(words['codesHeading'])
      view.end()
    },
  )
}
