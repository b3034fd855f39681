import { join } from 'node:path'
import { test } from 'tap'
import { loadedRow, openConsole } from '../../helpers/browser/account-page.js'
import { startMailServer } from '../../helpers/peers/mail-server.js'
import { skip } from '../../helpers/browser/browser.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { languages } from '../../helpers/browser/pages.js'
import { startServer } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'

for (const language of languages) {
  test(`the overview counts, and names what the installation lacks, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    for (const password of ['wrong password', 'another wrong one'])
      await server.call('POST', '/auth/login', { json: { username: 'alice', password } })
    const { page, words, ...view } = await openConsole(t, server, '', { language, name: 'overview' })
    const { overview } = words as any
    await page.locator('.figures dd').nth(4).waitFor()
    t.strictSame(await page.locator('.figures dd').allInnerTexts(), ['2', '2', '1', '1', '2'])
    const gaps = await page.locator('.items li').allInnerTexts()
    for (const name of ['publicUrl', 'mail', 'phoneRegion', 'administratorFactor'])
      t.ok(
        gaps.some((text) => text.includes(overview[name])),
        name,
      )
    await view.check({ title: overview.title, focus: 'body' })
    await page.getByText(overview.howTo).first().click()
    await page.getByText('"publicUrl"').waitFor()
    const shown = await page.locator('.items').innerText()
    const { installation } = (
      await server.call('GET', '/system/overview', {
        token: (await server.signIn()).accessToken,
      })
    ).body.data
    t.equal(installation.configFile, join(server.directory, 'config.json'))
    t.match(shown, overview.inConfiguration(installation.configFile, installation.inContainer))
    await view.check({ title: overview.title, focus: 'summary' })

    if (!server.app.db.isShared) {
      await page.getByText(overview.howTo).last().click()
      const command = `${installation.command} backup ${server.directory}/rollcall-$(date +%F).db`
      await page.getByText(command, { exact: true }).waitFor()
      await page.getByText(overview.everyNight(installation)).waitFor()
    }

    // Who lacks it alone is led to the place where it is set up.
    const own = page.getByRole('link', { name: overview.setItUp })
    t.equal(await own.getAttribute('href'), '/account/security')
    t.equal(await page.getByRole('link', { name: overview.showThem }).count(), 0)

    // A count leads to what was counted.
    await page.locator('.figures a').nth(4).click()
    await page.waitForURL(/sign-ins\?outcome=refused&timeFrom=/)
    await page.locator(loadedRow).waitFor()
    view.end()
  })

  test(
    `what is done stays as a line, and a mail server that fails is open again, in ${language}`,
    { skip },
    async (t) => {
      let refusal: Error | undefined = Object.assign(new Error('no'), { responseCode: 550 })
      const { url } = await startMailServer(t, () => refusal)
      const server = await startServer(t, { settings: { mail: { url }, phoneRegion: 'CN' }, time: Date.now() })
      const { isShared } = server.app.db
      if (!isShared) await runCommand(t, ['backup', `${emptyDirectory(t)}.db`], { directory: server.directory })
      const letter = { to: 'alice@example.net', subject: 'A test', text: 'A test', html: '<p>A test' }
      const send = async () => server.app.mail?.send(letter)
      await t.rejects(send())
      const { page, words, ...view } = await openConsole(t, server, '', { language, name: 'overview-mail' })
      const { overview } = words as any
      const item = (name: string) => page.locator('.items li', { hasText: overview[name] })
      const ticked = (name: string) => item(name).locator('.met')
      const said = await item('mail').locator('.hint').first().innerText()
      t.equal(await ticked('mail').count(), 0)
      const [before, after] = overview.mailFailed('|', overview.failedWith(overview.failures.refused, 550)).split('|')
      t.ok(said.startsWith(before) && said.endsWith(after), said)
      await item('mail').getByText(overview.findOut).click()
      await page.getByText('doctor', { exact: false }).waitFor()
      await view.check({ title: overview.title, focus: 'summary' })
      for (const name of ['phoneRegion', ...(isShared ? [] : ['backup'])]) await ticked(name).waitFor()
      t.equal(await item('sms').count(), 0, 'what is not configured does not concern the installation')

      refusal = undefined
      await send()
      server.clock.advance(10)
      await page.reload()
      await ticked('mail').waitFor()
      t.equal(await item('mail').getByText(before).count(), 0)
      await item('mail').getByText(overview.howToTest).click()
      await item('mail').getByText('doctor --send-mail').waitFor()
      view.end()
    },
  )

  test(`a public address that is another one than that of the page is told, in ${language}`, { skip }, async (t) => {
    const publicUrl = 'http://localhost:1'
    const server = await startServer(t, { settings: { publicUrl } })
    const { page, words, ...view } = await openConsole(t, server, '', { language, name: 'overview-elsewhere' })
    const { overview } = words as any
    const item = page.locator('.items li', { hasText: overview.publicUrl })
    await item.getByText(overview.doneWith(publicUrl)).waitFor()
    await item.getByText(overview.elsewhere(view.origin)).waitFor()
    await view.check({ title: overview.title, focus: 'body' })
    view.end()
  })

  test(
    `where two administrators lack a second factor, the own one comes first, then the list of the others, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      await signInAs(server, 'second', { userType: 0, permissions: ['*:*:*'] })
      const { page, words, ...view } = await openConsole(t, server, '', { language, name: 'overview-two' })
      const { overview } = words as any
      const them = page.getByRole('link', { name: overview.showThem })
      await page.getByRole('link', { name: overview.setItUp }).waitFor()
      t.equal(await them.count(), 0)
      // A new factor ends the session of this page, so the answer of the next one is changed here.
      await page.route('**/system/overview', async (route) => {
        const answer = await route.fetch()
        const { data, ...envelope } = (await answer.json()) as { data: object }
        await route.fulfill({ json: { ...envelope, data: { ...data, isOwnFactorLacking: false } } })
      })
      await page.reload()
      t.match(await them.getAttribute('href'), /users\?userType=0&hasSecondFactor=false$/)
      t.equal(await page.getByRole('link', { name: overview.setItUp }).count(), 0)
      view.end()
    },
  )

  test(`somebody with one permission sees what belongs to it, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await signInAs(server, 'alice', { userType: 1, permissions: ['system:session:list'] })
    const { page, words, ...view } = await openConsole(t, server, '', {
      language,
      name: 'overview-one',
      username: 'alice',
    })
    await page.locator('.figures dd').waitFor()
    t.equal(await page.locator('.figures dd').count(), 1)
    t.equal(await page.locator('.items').count(), 0)
    t.strictSame(await page.locator('nav a').allInnerTexts(), [words['overview'].title, words['sessions'].title])
    await view.check({ title: words['overview'].title, focus: 'body' })
    await page.goto(`${view.origin}/console/audit`)
    await view.heading(words['common'].missing)
    await view.check({ title: words['common'].missing, focus: 'body' })
    await view.link(words['common'].backToStart)
    await view.heading(words['overview'].title)
    view.end()
  })

  test(`the language is chosen in the side bar and kept, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { page, ...view } = await openConsole(t, server, '/users?userStatus=1', { language, name: 'language' })
    const [other, tag] = language === 'en' ? ['中文', 'zh-CN'] : ['English', 'en']
    await view.button(other)
    await page.waitForURL(/userStatus=1/)
    await page.locator(`html[lang="${tag}"] h1`).waitFor()
    await page.goto(`${view.origin}/console`)
    await page.locator(`html[lang="${tag}"] h1`).waitFor()
    view.end()
  })

  test(`somebody without any permission is told so, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const opening = { language, name: 'overview-none', username: 'alice' }
    const { page, words, ...view } = await openConsole(t, server, '', opening)
    await page.getByText(words['overview'].noPermission('alice')).waitFor()
    await view.check({ title: words['overview'].title, focus: 'body' })
    t.equal(await page.locator('.figures dd').count(), 0)
    view.end()
  })

  test(`who needs a second factor is told so on the overview, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 7 } } })
    const opening = { language, name: 'overview-deadline' }
    const { page, words, ...view } = await openConsole(t, server, '', opening)
    const [before, after] = words['overview'].factorDeadline('|').split('|')
    const notice = page.locator('.notice.warn', { hasText: before }).filter({ hasText: after })
    await notice.waitFor()
    t.match(await notice.innerText(), '2026')
    await view.check({ title: words['overview'].title, focus: 'body' })
    await notice.getByRole('link', { name: words['common'].toOwnFactors }).click()
    await page.waitForURL(/\/account\/security$/)
    view.end()
  })

  test(`somebody whose permissions open no page is told so, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await signInAs(server, 'alice', { permissions: ['system:user:add', 'report:daily:read'] })
    const opening = { language, name: 'overview-no-page', username: 'alice' }
    const { page, words, ...view } = await openConsole(t, server, '', opening)
    await page.getByText(words['overview'].noPage('alice')).waitFor()
    await view.check({ title: words['overview'].title, focus: 'body' })
    view.end()
  })
}
