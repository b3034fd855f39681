import type { Page } from 'playwright-core'
import { test } from 'tap'
import { loadedRow, openConsole } from '../helpers/browser/account-page.js'
import { skip } from '../helpers/browser/browser.js'
import { languages, openPage, withoutAccount } from '../helpers/browser/pages.js'
import { codeIn, email, phone, startWithMessages } from '../helpers/service/self-service.js'
import { userPassword } from '../helpers/service/server.js'

/** As a phone copies a number out of its contacts, and a page an address out of a table. */
const copied = (text: string) => `\u202a\u200b${text.slice(0, 3)}\u00ad\u2060${text.slice(3)}\ufe0f\u202c`
/** The page writes signs out that turn a text or hide in it. */
const unseen = /[\u00ad\u200b\u2060\u202a\u202c]|U\+/

/** Puts texts into the fields as the clipboard does, and sends the form. */
const paste = async (page: Page, texts: Record<string, string>) => {
  for (const [name, text] of Object.entries(texts)) {
    await page.locator(`[name=${name}]`).focus()
    await page.keyboard.insertText(text)
  }
  await page.locator('form .primary').click()
}

for (const language of languages) {
  test(
    `a name, address, number or code that is pasted with unseen signs signs in, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t, withoutAccount())
      const { words, page, ...view } = await openPage(t, messages.server, '/sign-in', { language, name: 'copied' })
      await paste(page, { username: copied('alice'), password: userPassword })
      await view.heading(words['doneHeading'])
      await view.button(words.frame['signOut'])
      await view.heading(words['signIn'])
      await view.link(words['codeByMail'])
      await page.locator('[name=recipient][type=email]').waitFor()
      const code = await messages.mailedCode(() => paste(page, { recipient: copied(email) }))
      await page.locator('[name=code]').waitFor()
      t.notMatch(await page.locator('main').innerText(), unseen, 'the address is shown as it is')
      await paste(page, { code: copied(code) })
      await view.heading(words['doneHeading'])
      await view.button(words.frame['signOut'])
      await view.heading(words['codeTitle'])
      await page.goto(`${view.origin}/sign-in?way=sms`)
      await page.locator('[name=recipient][type=tel]').waitFor()
      await paste(page, { recipient: copied(phone) })
      await page.locator('[name=code]').waitFor()
      t.notMatch(await page.locator('main').innerText(), unseen, 'and so is the number')
      await messages.gateway.waitFor(1)
      await paste(page, { code: copied(codeIn(messages.textMessages()[0]?.text ?? '')) })
      await view.heading(words['doneHeading'])
      view.end()
    },
  )

  test(
    `the console adds users without unseen signs, and its lists find through them, in ${language}`,
    { skip },
    async (t) => {
      const messages = await startWithMessages(t)
      const { server } = messages
      const { page, ...view } = await openConsole(t, server, '/users/new', { language, name: 'copied-console' })
      await page.locator('[name=username]').waitFor()
      await paste(page, {
        username: copied('bobby'),
        realName: copied('Bobby B'),
        phone: copied('13900139000'),
        email: copied('bobby@example.com'),
        password: userPassword,
      })
      await page.waitForURL(/\/console\/users\/\d+$/)
      t.match(await server.app.db.users.findByUsername(1, 'bobby'), {
        username: 'bobby',
        realName: 'Bobby B',
        phone: '13900139000',
        email: 'bobby@example.com',
      })
      await page.goto(`${view.origin}/console/users`)
      const search = page.getByRole('searchbox')
      for (const [text, name] of [
        ['bobby', 'bobby'],
        [email, 'alice'],
        ['Bobby B', 'bobby'],
        [phone, 'alice'],
        ['13900139000', 'bobby'],
      ] as const) {
        await search.focus()
        await search.fill('')
        await page.keyboard.insertText(copied(text))
        await page.locator(loadedRow, { hasText: name }).waitFor()
        await page.locator(loadedRow, { hasText: name === 'alice' ? 'bobby' : 'alice' }).waitFor({ state: 'detached' })
        t.equal(await page.locator(loadedRow).count(), 1, text)
      }
      await page.goto(`${view.origin}/console/sign-ins`)
      const names = page.locator('.filters input, input[type=search]').first()
      await names.waitFor()
      await names.focus()
      await page.keyboard.insertText(copied('admin'))
      await page.waitForURL(/admin|adm/)
      await page.locator(loadedRow, { hasText: 'admin' }).first().waitFor()
      view.end()
    },
  )
}
