import { test } from 'tap'
import {
  answerLeaving,
  kick,
  loseCookies,
  openAccount,
  says,
  signInAgain,
  startSession,
  stored,
} from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages, openPage, wordsOf } from '../../helpers/browser/pages.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

/** That somebody else has taken the place of the account before. */
const otherAccountText = (frame: Record<string, any>, name: string): string =>
  (frame['otherAccount'](name) as string[]).join('')

for (const language of languages) {
  test(`who is not signed in signs in first, and comes back to the page, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const view = await openPage(t, server, '/account/sessions?x=1', { language, name: 'enter' })
    await view.signIn('alice', userPassword)
    await view.page.waitForURL(`${view.origin}/account/sessions?x=1`)
    await view.page.locator('.side').waitFor()
    await view.page.reload()
    await view.page.locator('.side').waitFor()
    t.strictSame(
      await view.page.evaluate(() => [
        Object.keys((globalThis as any).localStorage),
        Object.keys((globalThis as any).sessionStorage),
      ]),
      [[], []],
      'no token is stored',
    )
    view.end()
  })

  test(`a session that has ended is asked for in a dialog, and the form stays, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { words, page, ...view } = await openAccount(t, server, '/account', { language, name: 'lost', refusals: 1 })
    await page.locator('[name=realName]').fill('Alice Liddell')
    await kick(server, 'alice')
    await view.button(words['save'])
    await page.getByText(words.frame['sessionEnded']).waitFor()
    await view.check({ title: words['profile'], focus: 'a' })
    await signInAgain(page, 'alice')
    await page.locator('.notice.good').waitFor()
    t.equal((await stored(server, 'alice')).realName, 'Alice Liddell')
    view.end()
  })

  test(`whose session has ended elsewhere is told so where the sign-in begins, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { page, ...view } = await openAccount(t, server, '/account', { language, name: 'ended', refusals: 1 })
    await page.locator('.side').waitFor()
    await kick(server, 'alice')
    await page.goto(`${view.origin}/account/security`)
    const { ends } = await wordsOf(language)
    const notice = page.locator('main .notice')
    t.equal(await notice.innerText(), ends.ended)
    await view.signIn('alice', userPassword)
    await page.waitForURL(`${view.origin}/account/security`)
    await page.locator('.side').waitFor()
    await loseCookies(page)
    await page.goto(`${view.origin}/account/security`)
    await page.locator('[name=username]').waitFor()
    t.equal(await notice.count(), 0, 'strangers are told nothing')
    view.end()
  })

  test(`whoever does not sign in again is told that the session has ended, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { words, page, ...view } = await openAccount(t, server, '/account', {
      language,
      name: 'not-again',
      refusals: 1,
    })
    await kick(server, 'alice')
    await view.link(words['activity'])
    await page.getByText(words.frame['sessionEnded']).waitFor()
    await page.locator('dialog').getByRole('button', { name: words.frame['cancel'], exact: true }).click()
    await page.getByText(words.frame['notSignedIn']).first().waitFor()
    t.equal(await page.getByText(words.frame['notChanged']).count(), 0)
  })

  test(`another account than before throws away what was typed, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    await server.addUser('bob', { realName: 'Bob' })
    const { words, page, ...view } = await openAccount(t, server, '/account', { language, name: 'other', refusals: 1 })
    await page.locator('[name=realName]').fill('Alice Liddell')
    await kick(server, 'alice')
    await view.button(words['save'])
    page.on('dialog', (dialog) => void dialog.accept())
    await signInAgain(page, 'bob')
    await page.getByText(otherAccountText(words.frame, 'bob')).waitFor()
    await page.locator('[name=realName][value=Bob]').waitFor()
    for (const name of ['alice', 'bob']) t.not((await stored(server, name)).realName, 'Alice Liddell')
    view.end()
  })

  test(
    `where another tab has signed in somebody else, the page says that what was typed is gone, once, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      await server.addUser('alice')
      await server.addUser('bob', { realName: 'Bob' })
      const { words, page, origin, ...view } = await openAccount(t, server, '/account', { language, name: 'taken' })
      await page.locator('[name=realName]').fill('Alice Liddell')
      page.on('dialog', (dialog) => void dialog.accept())
      const other = await page.context().newPage()
      await startSession(other, origin, 'bob')
      await other.goto(`${origin}/account`)
      const told = page.getByText(otherAccountText(words.frame, 'bob'))
      await told.waitFor()
      await page.locator('[name=realName][value=Bob]').waitFor()
      t.equal(await other.locator('main .notice').count(), 0, 'the tab in which bob has signed in has lost nothing')
      await view.check({ title: words['profile'], focus: 'body' })
      await view.link(words['security'])
      await view.heading(words['security'])
      t.equal(await told.count(), 0)
      await page.goBack()
      await page.locator('[name=realName]').waitFor()
      t.equal(await told.count(), 0, 'it is said once')
      view.end()
    },
  )

  test(`sessions are listed and ended, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }
    const markup = { 'user-agent': '<img src=x onerror=alert(1)>' }
    const [one, two, three] = await Promise.all(
      [headers, markup, headers].map(async (more) => {
        const json = { username: 'alice', password: userPassword }
        return expectSuccess(t, await server.call('POST', '/auth/login', { json, headers: more }))
      }),
    )
    const { words, page, ...view } = await openAccount(t, server, '/account/sessions', { language, name: 'sessions' })
    await page.getByText(words['thisSession']).waitFor()
    await page.getByText(words['signedIn']).first().waitFor()
    await view.check({ title: words['activity'], focus: 'body' })
    t.equal((await page.getByText(words.frame['browserOn']('Firefox', 'Linux')).count()) >= 2, true)
    t.equal(await page.locator('main img').count(), 0, 'markup is text')
    const alive = async () =>
      Promise.all(
        [one, two, three].map(
          async (session) => (await server.call('GET', '/auth/userInfo', { token: session?.accessToken ?? '' })).status,
        ),
      )
    await page.getByRole('button', { name: words['endSession'](words.frame['unknownDevice']) }).click()
    await page
      .getByRole('button', { name: words['endSession'](words.frame['unknownDevice']) })
      .waitFor({ state: 'detached' })
    t.strictSame(await alive(), [200, 401, 200])
    await says(page, words['ended'])
    await view.check({ title: words['activity'], focus: 'button' })
    const firefox = words['endSession'](words.frame['browserOn']('Firefox', 'Linux'))
    t.equal(await page.locator('button:focus').getAttribute('aria-label'), firefox, 'the next session has the focus')
    await view.button(words['endOthers'])
    await page.getByRole('button', { name: words['endOthers'] }).waitFor({ state: 'detached' })
    t.strictSame(await alive(), [401, 401, 401])
    await says(page, words['ended'])
    await view.check({ title: words['activity'], focus: 'p' })
    await view.link(words['security'])
    await view.heading(words['security'])
    t.equal(await page.locator('.told .notice').count(), 0, 'another page is about something else')
    view.end()
  })
}

test('signing out in one tab signs out all, and nobody comes back with the cookie', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { words, page, origin, ...view } = await openAccount(t, server, '/account', { name: 'tabs' })
  const other = await page.context().newPage()
  await other.goto(`${origin}/account/security`)
  await other.locator('.side').waitFor()
  await view.button(words.frame['signOut'])
  for (const tab of [page, other]) await tab.waitForURL(`${origin}/sign-in**`)
  await page.goto(`${origin}/account`)
  await page.waitForURL(`${origin}/sign-in**`)
  view.end()
})

test('ten tabs go on after the token has expired, and nobody is signed out', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { page, origin, words, ...view } = await openAccount(t, server, '/account', { name: 'ten', refusals: 2 })
  const tabs = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const tab = await page.context().newPage()
      await tab.goto(`${origin}/account`)
      await tab.locator('.side').waitFor()
      return tab
    }),
  )
  server.clock.advance(server.app.installation.settings.clients['pc'].accessTtl)
  server.clock.advance(1)
  const link = { name: words['activity'], exact: true }
  await Promise.all([page, ...tabs].map((tab) => tab.getByRole('link', link).click()))
  await Promise.all([page, ...tabs].map((tab) => tab.getByText(words['thisSession']).waitFor()))
  t.equal(server.log().includes('session_replaced'), false)
  view.end()
})

test('leaving a changed form asks first', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { words, page, origin, ...view } = await openAccount(t, server, '/account', { name: 'leave' })
  await page.locator('[name=realName]').fill('Alice Liddell')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await view.link(words['security'])
  await view.heading(words.frame['leaveTitle'])
  await view.check({ title: words['profile'], focus: 'button' })
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.equal(page.url(), `${origin}/account`, 'the key that confirms most dialogs loses nothing')
  t.equal(await page.locator('[name=realName]').inputValue(), 'Alice Liddell')
  await view.link(words['profile'])
  t.equal(await page.getByRole('dialog').count(), 0, 'nothing is lost on the way to the same page')
  await page.close({ runBeforeUnload: true })
  await page.waitForEvent('dialog')
  t.strictSame(asked.splice(0), ['beforeunload'], 'about the end of the tab the browser asks')
  await view.link(words['security'])
  await answerLeaving(page, words.frame, 'leave')
  await page.waitForURL(`${origin}/account/security`)
  await view.check({ title: words['security'], focus: 'main' })
  await view.link(words['activity'])
  await page.waitForURL(`${origin}/account/sessions`)
  t.equal(await page.getByRole('dialog').count(), 0, 'an unchanged page asks nothing')
  t.strictSame(asked, [])
  view.end()
})

test('leaving a changed form for another document of ours asks once, in our dialog', { skip }, async (t) => {
  const server = await startServer(t)
  const { words, page, origin, ...view } = await openAccount(t, server, '/account', {
    name: 'leave-document',
    username: 'admin',
    password: adminPassword,
  })
  await page.locator('[name=realName]').fill('Somebody')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await view.link(words['console'])
  await answerLeaving(page, words.frame, 'stay')
  t.equal(page.url(), `${origin}/account`)
  await view.link(words['console'])
  await answerLeaving(page, words.frame, 'leave')
  await page.waitForURL(`${origin}/console`)
  t.strictSame(asked, [])
  view.end()
})

for (const language of languages) {
  test(`who signs out is told so, once, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { words, page, origin, ...view } = await openAccount(t, server, '/account', { language, name: 'signed-out' })
    const signIn = await wordsOf(language)
    const told = page.locator('.notice.good', { hasText: signIn['ends'].signedOut })
    const other = await page.context().newPage()
    // Not every Chromium asks for the language of its window.
    await other.setExtraHTTPHeaders({ 'accept-language': language })
    await other.goto(`${origin}/account/security`)
    await other.locator('.side').waitFor()
    await view.button(words.frame['signOut'])
    await told.waitFor()
    t.equal(page.url(), `${origin}/sign-in`, 'nothing of it is in the address')
    await view.check({ title: signIn['signIn'], focus: 'username' })
    await other.locator('.notice.good', { hasText: signIn['ends'].signedOut }).waitFor()
    await page.reload()
    await page.locator('[name=username]').waitFor()
    t.equal(await told.count(), 0)
    await page.goto(`${origin}/account`)
    await page.locator('[name=username]').waitFor()
    t.equal(await told.count(), 0, 'who has to sign in has not signed out')
    view.end()
  })
}

test('an address that does not exist says so, with a way back', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { words, ...view } = await openAccount(t, server, '/account/nothing/here', { name: 'missing' })
  await view.heading(words['missing'])
  await view.page.locator('main').getByRole('link').click()
  await view.heading(words['profile'])
  view.end()
})

test('the page session of somebody else is not taken over by a second sign-in in the browser', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await server.addUser('bob', { realName: 'Bob' })
  const { page, origin } = await openAccount(t, server, '/account', { name: 'second' })
  await startSession(page, origin, 'bob')
  await page.reload()
  await page.locator('[name=realName][value=Bob]').waitFor()
  t.equal(await page.locator('[name=username]').inputValue(), 'bob')
})

test('what was typed for one account is not saved for another that signs in in another tab', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await server.addUser('bob', { realName: 'Bob' })
  const { page, origin, words, ...view } = await openAccount(t, server, '/account', { name: 'replaced', refusals: 1 })
  await page.locator('[name=realName]').click()
  await page.keyboard.type('Alice Liddell')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void (asked.length === 1 ? dialog.dismiss() : dialog.accept())
  })
  const other = await page.context().newPage()
  await startSession(other, origin, 'bob')
  const left = page.waitForEvent('dialog')
  await other.goto(`${origin}/account`)
  await left
  t.strictSame(asked, ['beforeunload'], 'the page is about to be left')
  await view.button(words['save'])
  await page.getByText(words.frame['sessionEnded']).waitFor()
  const popup = page.waitForEvent('popup')
  await page.getByRole('dialog').getByRole('link').click()
  await popup
  await page.getByText(otherAccountText(words.frame, 'bob')).waitFor()
  for (const name of ['alice', 'bob']) t.not((await stored(server, name)).realName, 'Alice Liddell')
  view.end()
})
