import { createCanvas } from '@napi-rs/canvas'
import { test } from 'tap'
import { openAccount, says, stored } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { another, codeIn, email, phone, startWithMessages } from '../../helpers/service/self-service.js'
import { catalogue } from '../../../schemas/problems.js'
import { bodyOf } from '../../helpers/peers/mail-server.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

for (const language of languages) {
  test(`who needs a second factor reads until when, and where to set it up, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 7 } } })
    await server.addUser('alice')
    const opening = { language, name: 'factor-deadline' }
    const { words, page, ...view } = await openAccount(t, server, '/account', opening)
    const [before, after] = words['deadline']('|').split('|')
    const notice = page.locator('.notice.warn', { hasText: before }).filter({ hasText: after })
    await notice.waitFor()
    t.match(await notice.innerText(), '2026')
    await view.check({ title: words['profile'], focus: 'body' })
    await notice.getByRole('link', { name: words['setUpFactor'] }).click()
    await view.heading(words['security'])
    view.end()
  })

  test(`a person changes name and gender, and undoes it, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice', { realName: 'Alice Liddell' })
    const opening = { language, name: 'profile' }
    const { words, page, ...view } = await openAccount(t, server, '/account', opening)
    const saved = async () => (await stored(server, 'alice')).realName
    await view.check({ title: words['profile'], focus: 'body' })
    t.ok((await page.locator('[name=username]').getAttribute('readonly')) !== null)

    await page.locator('[name=realName]').fill('Alice in <b>Wonderland</b>')
    await page.locator('[name=gender]').selectOption('2')
    await view.button(words['save'])
    await says(page, words['saved'])
    t.equal(await saved(), 'Alice in <b>Wonderland</b>')
    await view.check({ title: words['profile'], focus: 'p' })
    await view.button(words.frame['undo'])
    await page.locator('[name=realName][value="Alice Liddell"]').waitFor()
    await says(page, words.frame['undone'])
    t.equal(await saved(), 'Alice Liddell')

    await page.locator('[name=realName]').press('Enter')
    await page.getByText(words.frame['notChanged']).waitFor()
    t.equal(await page.locator('.notice.good').count(), 0, 'nothing was saved that could be undone')
    view.end()
  })

  test(`a picture is cropped and scaled in the browser, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { words, page, ...view } = await openAccount(t, server, '/account', { language, name: 'picture' })
    const canvas = createCanvas(900, 600)
    const context = canvas.getContext('2d')
    for (let x = 0; x < 900; x += 3) {
      context.fillStyle = `hsl(${(x * 7) % 360} 80% 50%)`
      context.fillRect(x, 0, 3, 600)
    }
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: canvas.toBuffer('image/png') }
    await page.locator('[type=file]').setInputFiles(picture)
    await page.locator('img.face').waitFor()
    await says(page, words['saved'])
    const { avatar } = await stored(server, 'alice')
    t.match(avatar, /^data:image\/jpeg;base64,/)
    t.ok((avatar ?? '').length <= 32 * 1024, `${avatar?.length} characters`)
    t.strictSame(
      await page.locator('img.face').evaluate((image: any) => [image.naturalWidth, image.naturalHeight]),
      [256, 256],
    )
    await page.locator('[type=file]').setInputFiles({ ...picture, buffer: Buffer.from('no picture') })
    t.equal(await page.getByRole('alert').innerText(), words['noPicture'])
    await page.getByRole('button', { name: words['removePicture'], exact: true }).click()
    await page.locator('span.face').waitFor()
    t.equal((await stored(server, 'alice')).avatar, null)
    await says(page, words['saved'])
    await view.check({ title: words['profile'], focus: 'p' })
    view.end()
  })

  test(`a picture of another host is not loaded, and the page says so, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await server.app.db.users.change(id, { avatar: 'https://pictures.example/a.png' }, server.clock.now())
    const { words, page, ...view } = await openAccount(t, server, '/account', { language, name: 'picture-elsewhere' })
    await page.getByText(words['pictureElsewhere']).waitFor()
    t.equal(await page.locator('span.face.large').innerText(), 'AL')
    t.equal(await page.locator('main img').count(), 0)
    await view.check({ title: words['profile'], focus: 'body' })
    await page.getByRole('button', { name: words['removePicture'], exact: true }).click()
    await page.getByText(words['pictureElsewhere']).waitFor({ state: 'detached' })
    view.end()
  })

  test(`no change is offered of a contact to which no code can be sent, in ${language}`, { skip }, async (t) => {
    const { server } = await startWithMessages(t, { settings: { sms: { sender: 'none' } } })
    const { words, page, ...view } = await openAccount(t, server, '/account', { language, name: 'contact-fixed' })
    await page.getByRole('button', { name: words['changeContact'].email }).waitFor()
    t.equal(await page.getByRole('button', { name: words['changeContact'].phone }).count(), 0)
    await page.getByText(words['onlyAdministrators'].phone).waitFor()
    t.equal(await page.getByText(words['onlyAdministrators'].email).count(), 0)
    await view.check({ title: words['profile'], focus: 'body' })
    view.end()

    const without = await startServer(t)
    await without.addUser('alice')
    const silent = await openAccount(t, without, '/account', { language, name: 'contacts-fixed' })
    for (const kind of ['phone', 'email']) await silent.page.getByText(words['onlyAdministrators'][kind]).waitFor()
    await silent.page.getByText(words['contactsUse'], { exact: true }).waitFor()
    t.equal(await silent.page.getByRole('button', { name: words['add'] }).count(), 0)
    t.equal(await silent.page.getByText(words['usernameHint']).count(), 1)
    silent.end()

    const administrator = { username: 'admin', password: adminPassword, language, name: 'contacts-of-editor' }
    const editor = await openAccount(t, without, '/account', administrator)
    for (const kind of ['phone', 'email']) await editor.page.getByText(words['onlyOthers'][kind]).waitFor()
    await editor.page.getByText(words['usernameHintOfEditor']).waitFor()
    await editor.check({ title: words['profile'], focus: 'body' })
    editor.end()
  })

  test(`a new address counts once its code is entered, in ${language}`, { skip }, async (t) => {
    const { server, mailServer } = await startWithMessages(t)
    const opening = { language, name: 'contact', refusals: 1 }
    const { words, page, ...view } = await openAccount(t, server, '/account', opening)
    await page.getByRole('button', { name: words['changeContact'].email }).click()
    await view.check({ title: words['profile'], focus: 'recipient', autocomplete: { recipient: 'email' } })
    await page.locator('[name=recipient]').fill('new@example.com')
    const count = mailServer.mails.length
    await page.locator('dialog .primary').click()
    await page.locator('dialog [name=code]').waitFor()
    await view.check({ title: words['profile'], focus: 'code', autocomplete: { code: 'one-time-code' } })
    await page.locator('dialog [name=code]').fill('000000')
    await page.locator('dialog .primary').click()
    t.equal(await page.locator('#code-fault').innerText(), catalogue.invalid_code[language])
    t.equal((await stored(server, 'alice')).email, email, 'nothing has changed yet')
    const mail = (await mailServer.waitFor(count + 1))[count]
    await page.locator('dialog [name=code]').fill(codeIn(bodyOf(mail?.raw ?? '')))
    await page.locator('dialog .primary').click()
    await page.getByText('new@example.com').waitFor()
    await says(page, words['saved'])
    await view.check({ title: words['profile'], focus: 'button' })
    t.equal((await stored(server, 'alice')).email, 'new@example.com')
    view.end()
  })

  test(`a code that was sent before a reload can still be typed, in ${language}`, { skip }, async (t) => {
    const messages = await startWithMessages(t)
    const opening = { language, name: 'contact-after-reload', refusals: 1 }
    const { words, page, ...view } = await openAccount(t, messages.server, '/account', opening)
    const ask = async () => {
      await page.getByRole('button', { name: words['changeContact'].email }).click()
      await page.locator('[name=recipient]').fill('new@example.com')
      await page.locator('dialog .primary').click()
      await page.locator('dialog [name=code]').waitFor()
    }
    const code = await messages.mailedCode(ask)
    await page.reload()
    await ask()
    await page.locator('dialog').getByText(words.frame['sentBefore']).waitFor()
    await view.check({ title: words['profile'], focus: 'code' })
    await page.locator('dialog [name=code]').fill(code)
    await page.locator('dialog .primary').click()
    await says(page, words['saved'])
    t.equal((await stored(messages.server, 'alice')).email, 'new@example.com')
    view.end()
  })

  test(
    `a contact of the other kind is refused at the field, and no code is sent, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t)
      const { words, page, ...view } = await openAccount(t, messages.server, '/account', {
        language,
        name: 'other-kind',
      })
      const count = messages.mailServer.mails.length
      for (const [kind, text] of [
        ['email', 'adminexample'],
        ['email', '13900139000'],
        ['phone', 'new@example.com'],
      ] as const) {
        await page.getByRole('button', { name: words['changeContact'][kind] }).click()
        await page.locator('[name=recipient]').fill(text)
        await page.locator('dialog .primary').click()
        await page.locator('#recipient-fault', { hasText: words.frame['mustBe'][kind] }).waitFor()
        await view.check({ title: words['profile'], focus: 'recipient' })
        await page.locator('dialog').getByRole('button', { name: words.frame['cancel'], exact: true }).click()
      }
      t.equal(messages.mailServer.mails.length, count)
      t.strictSame(messages.textMessages(), [])
      view.end()
    },
  )

  test(
    `an address or a number that somebody else has is refused where it is typed, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t)
      const { server } = messages
      await server.addUser('bob', { email: 'bob@example.com', phone: '13900139000' })
      const opening = { language, name: 'contact-taken', refusals: 4 }
      const { words, page, ...view } = await openAccount(t, server, '/account', opening)
      for (const [kind, taken, before] of [
        ['email', 'bob@example.com', email],
        ['phone', '13900139000', phone],
      ] as const) {
        await page.getByRole('button', { name: words['changeContact'][kind] }).click()
        await page.locator('[name=recipient]').fill(taken)
        const send = () => page.locator('dialog .primary').click()
        const texted = async () => {
          await send()
          await messages.gateway.waitFor(1)
          return codeIn(messages.textMessages()[0]?.text ?? '')
        }
        const code = kind === 'email' ? await messages.mailedCode(send) : await texted()
        await page.locator('dialog [name=code]').fill(another(code))
        await page.locator('dialog .primary').click()
        t.equal(await page.locator('#code-fault').innerText(), catalogue.invalid_code[language])
        await page.locator('dialog [name=code]').fill(code)
        await page.locator('dialog .primary').click()
        const said = language === 'en' ? 'Is already taken' : '已被使用'
        t.equal(await page.locator('#recipient-fault').innerText(), said)
        t.equal(await page.locator('[name=recipient]').inputValue(), taken)
        await view.check({ title: words['profile'], focus: 'recipient' })
        t.equal((await stored(server, 'alice'))[kind], before)
        await page.locator('dialog').getByRole('button', { name: words.frame['cancel'], exact: true }).click()
      }
      view.end()
    },
  )
}

test('language and colours are chosen in this browser, and stay', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { words, page, ...view } = await openAccount(t, server, '/account', { name: 'appearance' })
  await page.getByLabel(words['themes'].dark).check()
  const theme = () => page.evaluate(() => (globalThis as any).document.documentElement.dataset.theme)
  t.equal(await theme(), 'dark')
  await page.locator('[name=language]').selectOption('zh')
  await page.getByRole('heading', { name: '个人资料' }).waitFor()
  await page.locator('[name=language]:focus').waitFor()
  t.equal(await theme(), 'dark', 'after a reload')
  t.equal(await page.evaluate(() => (globalThis as any).document.documentElement.lang), 'zh-CN')
  await page.reload()
  await page.locator('[name=language]').waitFor()
  t.equal(await page.locator('[name=language]:focus').count(), 0, 'only after a choice')
  await page.goto(`${view.origin}/account/security`)
  await page.getByRole('heading', { name: '密码与安全' }).waitFor()
  view.end()
})

test('a message that a script focuses has no frame; what one can use has', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { words, page, ...view } = await openAccount(t, server, '/account', { name: 'focus-frame' })
  await page.locator('[name=realName]').fill('Alice Liddell')
  // By the keyboard, after which browsers frame what gets the focus.
  await page.getByRole('button', { name: words['save'], exact: true }).press('Enter')
  await says(page, words['saved'])
  await page.locator('.told .notice:focus').waitFor()
  const focused = () =>
    page.evaluate(() => {
      const { document, getComputedStyle } = globalThis as any
      return [document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]
    })
  t.strictSame(await focused(), ['P', 'none'])
  await page.keyboard.press('Tab')
  t.strictSame(await focused(), ['BUTTON', 'solid'])
  view.end()
})
