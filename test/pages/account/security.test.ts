import { test } from 'tap'
import { openAccount, says, startSession } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages, openPage, sentencesIn, wordsOf } from '../../helpers/browser/pages.js'
import { addVirtualAuthenticator, enableWebAuthn } from '../../helpers/browser/passkeys.js'
import { codeAt, enrol, firstStep, secondStep, stepLength } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

/** Longer than a proof of a password or a factor is fresh. Seconds. */
const stale = 601

const dateIn = (language: string) => new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en', { dateStyle: 'long' })

for (const language of languages) {
  test(`a person changes the password, and other sessions end, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { accessToken: token } = await server.signIn('alice')
    const opening = { language, name: 'password', refusals: 1 }
    const { words, page, ...view } = await openAccount(t, server, '/account/security', opening)
    const changedOn = (time: number) =>
      page.getByText(words['changedOn'](dateIn(language).format(time)), { exact: true }).waitFor()
    await changedOn(server.clock.now())
    server.clock.advance(3 * 86_400)
    await page.context().clearCookies()
    await startSession(page, view.origin, 'alice')
    await page.reload()
    await view.link(words['changePassword'])
    await view.heading(words['changePassword'])
    const fields = { username: 'username', oldPassword: 'current-password', newPassword: 'new-password' }
    await view.check({ title: words['changePassword'], focus: 'oldPassword', autocomplete: fields })
    t.equal(await page.locator('[name=username]').inputValue(), 'alice', 'a password manager learns the name')
    const next = 'four plain unrelated words'
    await view.send({ oldPassword: 'wrong', newPassword: next })
    await page.locator('#oldPassword-fault').waitFor()
    t.notMatch(await page.locator('#oldPassword-fault').innerText(), /user name|用户名/, 'nobody was asked for it')
    await view.check({ title: words['changePassword'], focus: 'oldPassword' })
    await view.send({ oldPassword: userPassword, newPassword: next })
    await view.heading(words['security'])
    await says(page, words['passwordChanged'])
    await changedOn(server.clock.now())
    await view.check({ title: words['security'], focus: 'main' })
    t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 401, 'the other session has ended')
    await server.signIn('alice', next)
    view.end()
  })

  test(`an app is added, renamed and removed, and codes are kept, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const opening = { language, name: 'apps', refusals: 3 }
    const { words, page, ...view } = await openAccount(t, server, '/account/security', opening)
    await page.getByRole('button', { name: words['addApp'] }).waitFor()
    await view.check({ title: words['security'], focus: 'body' })
    await view.button(words['addApp'])
    await page.locator('.qr').waitFor()
    const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await view.button(words.frame['copy'])
    await page.getByRole('button', { name: words.frame['copied'], exact: true }).waitFor()
    await page.locator('p.sr[role=status]', { hasText: words.frame['copied'] }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: words.frame['copy'], exact: true }).waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    const link = page.locator('a[href^="otpauth:"]')
    t.match(await link.getAttribute('href'), `secret=${secret}`)
    t.equal(await link.isVisible(), false, 'a computer has no such app')
    const cdp = await page.context().newCDPSession(page)
    const phone = { width: 320, height: 720, deviceScaleFactor: 2, mobile: true }
    await cdp.send('Emulation.setDeviceMetricsOverride', phone)
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await link.waitFor()
    const module = await page.locator('.qr').evaluate((image: any) => {
      const { paddingLeft, paddingRight } = (globalThis as any).getComputedStyle(image)
      const drawn = image.clientWidth - parseFloat(paddingLeft as string) - parseFloat(paddingRight as string)
      return (4 * drawn) / image.naturalWidth
    })
    t.ok(module >= 3, `${module} px for a module of the picture on a phone`)
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await cdp.send('Emulation.clearDeviceMetricsOverride')
    const type = async (code: string) => {
      await page.locator('[name=code]').last().fill(code)
      await page.locator('[name=code]').last().press('Enter')
    }
    await type(codeAt(secret, server.clock.now() + 300_000))
    t.match(await page.locator('#code-fault').innerText(), /5/, 'by how much the clock of the phone is wrong')
    await type(codeAt(secret, server.clock.now()))
    await page.getByRole('dialog').waitFor()
    const codes = await page.locator('.codes li').allInnerTexts()
    t.equal(codes.length, 10)
    await view.check({ title: words['security'], focus: 'h2' })
    await page.emulateMedia({ media: 'print' })
    const printed = (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '')
    t.strictSame(printed, [words.frame['forAccount']('Rollcall', 'alice'), ...codes], 'paper has what it is for')
    await page.emulateMedia({ media: 'screen' })
    await view.button(words['codesKept'])
    await page.getByText(words['codesLeft'](10)).waitFor()
    await says(page, words['appAdded'])
    await view.check({ title: words['security'], focus: 'p' })

    const rename = async () => {
      await page.getByLabel(words['actionsFor'](words['app'])).click()
      await view.button(words['rename'])
      await page.locator('dialog [name=name]').fill('My phone')
      await page.locator('dialog .primary').click()
    }
    server.clock.advance(stale)
    await rename()
    await page.getByText(words.frame['askFactor']).waitFor()
    await view.check({ title: words['security'], focus: 'code' })
    await page.locator('dialog').last().getByRole('button', { name: words.frame['cancel'] }).click()
    await page.getByText(words.frame['notChanged']).waitFor()
    await page.locator('dialog .primary').click()
    await page.getByText(words.frame['askFactor']).waitFor()
    await type(codeAt(secret, server.clock.now()))
    await page.getByText('My phone').waitFor()
    await says(page, words['saved'])
    await view.check({ title: words['security'], focus: 'summary' })

    await view.button(words['newCodes'])
    await page.getByRole('dialog').waitFor()
    t.notMatch(await page.locator('.codes li').allInnerTexts(), codes)
    await view.button(words['codesKept'])
    server.clock.advance(stepLength)
    const { ticket } = (await firstStep(server, 'alice')).body.data
    const answer = await secondStep(server, { authType: 'recovery', ticket, code: codes[0] ?? '' })
    t.equal(answer.status, 400, 'the old codes are void')

    await page.getByLabel(words['actionsFor']('My phone')).press('Enter')
    await page.keyboard.press('ArrowUp')
    t.equal(await page.evaluate(() => (globalThis as any).document.activeElement.innerText), words['remove'])
    await page.keyboard.press('Escape')
    await page.getByLabel(words['actionsFor']('My phone')).click()
    await view.button(words['remove'])
    await view.heading(words['removeFactor']('My phone'))
    await page.locator('dialog').getByText(words['lastFactorHint']).waitFor()
    await page.locator('dialog .danger').click()
    await page.getByText('My phone').waitFor({ state: 'detached' })
    await says(page, words['removed'])
    await view.check({ title: words['security'], focus: 'p' })
    t.equal((await firstStep(server, 'alice')).status, 200, 'no second step any more')
    view.end()
  })

  test(`the last factor stays where one is required, and the dialog says so, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 7 } } })
    await server.addUser('alice')
    const opening = { language, name: 'last-factor-stays' }
    const { words, page, ...view } = await openAccount(t, server, '/account/security', opening)
    const remove = async (name: string) => {
      await page.getByLabel(words['actionsFor'](name), { exact: true }).click()
      await view.button(words['remove'])
      await view.heading(words['removeFactor'](name))
    }
    const add = async (name: string) => {
      await view.button(words['addApp'])
      await page.locator('.qr').waitFor()
      const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '')
      await page.locator('[name=name]').fill(name)
      await page.locator('[name=code]').fill(codeAt(secret, server.clock.now()))
      await page.locator('[name=code]').press('Enter')
    }
    await add('One')
    await view.button(words['codesKept'])
    await remove('One')
    await page.locator('dialog').getByText(words['lastFactorStays'], { exact: true }).waitFor()
    t.equal(await page.locator('dialog .danger').count(), 0)
    await view.check({ title: words['security'], focus: 'h2' })
    await page.locator('dialog').getByRole('button', { name: words.frame['cancel'], exact: true }).click()
    await add('Two')
    await page.getByText('Two', { exact: true }).waitFor()
    await remove('Two')
    await page.locator('dialog').getByText(words['removeFactorHint'], { exact: true }).waitFor()
    await page.locator('dialog .danger').click()
    await says(page, words['removed'])
    view.end()
  })

  test(`the password is asked for when the sign-in was a while ago, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const opening = { language, name: 'fresh', refusals: 3 }
    const { words, page, ...view } = await openAccount(t, server, '/account/security', opening)
    server.clock.advance(stale)
    await view.button(words['addApp'])
    await page.getByText(words.frame['askPassword']).waitFor()
    const fields = { username: 'username', password: 'current-password' }
    await view.check({ title: words['security'], focus: 'password', autocomplete: fields })
    await page.keyboard.press('Escape')
    t.equal(await page.getByRole('alert').innerText(), words.frame['notChanged'])
    await view.button(words['addApp'])
    await page.locator('dialog [name=password]').fill('wrong')
    await page.locator('dialog .primary').click()
    await page.locator('dialog #password-fault').getByText(words.frame['wrongPassword']).waitFor()
    await view.check({ title: words['security'], focus: 'password', autocomplete: fields })
    t.equal(await page.locator('main [role=alert]').count(), 0, 'the form behind the dialog says nothing of it')
    await page.locator('dialog [name=password]').fill(userPassword)
    await page.locator('dialog .primary').click()
    await page.locator('.qr').waitFor()
    view.end()
  })

  test(`a passkey is added with a name, and listed, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { words, page, ...view } = await openAccount(t, server, '/account/security', { language, name: 'passkeys' })
    await addVirtualAuthenticator(await enableWebAuthn(page), {
      defaultBackupEligibility: true,
      defaultBackupState: true,
    })
    await view.button(words['addPasskey'])
    await page.getByRole('dialog').waitFor()
    await view.button(words['codesKept'])
    await page.getByText(/Chrome, /).waitFor()
    await page.getByText(new RegExp(words['synced'])).waitFor()
    await says(page, words['passkeyAdded'])
    await view.check({ title: words['security'], focus: 'button' })
    t.equal((await firstStep(server, 'alice')).status, 403)
    view.end()
  })
}

for (const language of languages) {
  test(`after a recovery code the page says how many are left and what to do, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { accessToken } = await server.signIn('alice')
    const { recoveryCodes } = await enrol(t, server, accessToken)
    const opening = { language, name: 'recovered', refusals: 1 }
    const { words: signIn, page, origin, ...view } = await openPage(t, server, '/sign-in', opening)
    const words = await wordsOf(language, 'account')
    await view.signIn('alice', userPassword)
    await view.heading(signIn['factorHeading'])
    await view.button(signIn['recoveryCode'])
    await view.send({ code: recoveryCodes[0] ?? '' })
    await page.waitForURL(`${origin}/account/security#recovered`)
    const notice = page.locator('.notice.warn')
    await notice.waitFor()
    t.equal((await notice.innerText()).trim(), sentencesIn(language, words['recovered'](9), words['lostDevice']))
    t.match(words['recovered'](9), /\b9\b/)
    await page.getByText(words['codesLeft'](9)).waitFor()
    await view.check({ title: words['security'], focus: 'body' })
    const advice = page.locator('.hint', { hasText: words['lostDevice'] })
    t.equal(await advice.count(), 0, 'said once')
    const right = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    t.equal(await right('.notice.warn'), await right('.section'), 'as wide as the sections')

    const names = page.locator('.section li:has(summary) .what > :first-child')
    const [lost = ''] = await names.allInnerTexts()
    await view.button(words['addApp'])
    await page.locator('.qr').waitFor()
    const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '')
    const suggested = lost === words['app'] ? `${words['app']} 2` : words['app']
    t.equal(await page.locator('[name=name]').inputValue(), suggested, 'no two have one name')
    await page.locator('[name=name]').fill('New phone')
    await page.locator('[name=code]').fill(codeAt(secret, server.clock.now()))
    await page.locator('[name=code]').press('Enter')
    await says(page, words['appAdded'])
    await page.getByText('New phone').waitFor()
    // Both were set up at the same moment of the clock.
    t.strictSame((await names.allInnerTexts()).toSorted(), [lost, 'New phone'].toSorted())
    t.equal(await notice.count(), 1, 'the lost one is there still')
    await page.getByLabel(words['actionsFor'](lost), { exact: true }).click()
    await view.button(words['remove'])
    await page.locator('dialog .danger').click()
    await says(page, words['removed'])
    await advice.waitFor()
    t.equal(await notice.count(), 0, 'the advice is followed')
    await page.reload()
    await advice.waitFor()
    t.equal(await notice.count(), 0, 'not even after a reload')

    await page.goto(`${origin}/account`)
    await view.link(words['security'])
    await page.getByText(words['codesLeft'](9)).waitFor()
    await advice.waitFor()
    t.equal(await notice.count(), 0, 'only after the sign-in')
    view.end()
  })
}
