import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { loadedRow, kick, openConsole, signInAgain } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages, sentencesIn } from '../../helpers/browser/pages.js'
import { hasWorkbooks } from '../../helpers/service/file-formats.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'

const file = (lines: string[], name = 'people.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
})
const ten = Array.from({ length: 10 }, (_row, at) => `person${at},Person ${at},person${at}@example.com`)
const head = 'username,realName,email'
const usersOf = async (server: TestServer): Promise<number> => {
  const { accessToken: token } = await server.signIn('admin')
  const { body } = await server.call('GET', '/system/user/page', { token })
  return body.data.total
}

for (const language of languages) {
  test(`imported users without a password are invited if that is chosen, in ${language}`, { skip }, async (t) => {
    const { server, mailServer } = await startWithMessages(t, { time: Date.now() })
    const { page, words, ...view } = await openConsole(t, server, '/users/import', { language, name: 'import-invite' })
    const texts = words['import']
    await page.locator('input[type=file]').setInputFiles(file([head, ...ten.slice(0, 2)]))
    const box = page.getByLabel(texts.invite)
    t.notOk(await box.isChecked(), 'nobody is written to unasked')
    await box.check()
    await view.check({ title: texts.title, focus: 'input' })
    t.equal(await page.locator('.notice.warn').count(), 0, 'all of them can sign in')
    await page.locator('main .primary').click()
    await page.getByText(texts.invited(2)).waitFor()
    t.strictSame((await mailServer.waitFor(2)).flatMap(({ to }) => to).sort(), [
      'person0@example.com',
      'person1@example.com',
    ])
    view.end()
  })

  test(`ten rows with two faults are refused, mended and imported, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t, { time: Date.now() })
    const { page, words, ...view } = await openConsole(t, server, '/users/import', { language, name: 'import' })
    const texts = words['import']
    await view.heading(texts.title)
    await view.check({ title: texts.title, focus: 'body' })
    for (const text of texts.valueHints) t.ok(await page.getByText(text).isVisible(), text)
    const ifEmpty = {
      en: 'if it is empty, Yes for a password and No for a passwordHash.',
      zh: '留空时，填写“密码”的用户为是，填写“密码哈希”的用户为否。',
    }
    await page.getByText(ifEmpty[language]).waitFor()
    const input = page.locator('input[type=file]')
    const faulty = [head, ...ten]
    faulty[4] = 'person3,Person 3,nowhere'
    faulty[8] = 'person0,"=HYPERLINK(1)",person7@example.com'
    await input.setInputFiles(file(faulty))
    await page.getByText(texts.allOrNone).waitFor()
    t.strictSame(await page.locator('.figures dd').allInnerTexts(), ['10', '8', '2'])
    t.equal(await page.locator('thead th.num').innerText(), texts.line)
    t.strictSame(await page.locator('tbody td.num').allInnerTexts(), ['5', '9'])
    t.equal(await page.locator('main .primary').count(), 0)
    await view.check({ title: texts.title, focus: 'p' })
    const [download] = await Promise.all([page.waitForEvent('download'), view.button(texts.download)])
    const saved = readFileSync(await download.path(), 'utf8')
    t.match(saved, /^\uFEFF"/)
    t.match(saved, language === 'zh' ? /"5","邮箱",/ : /"5","email",/)
    t.equal(saved.split('\r\n').length, 3)

    await input.setInputFiles(file([head, ...ten]))
    await page.locator('main .primary').waitFor()
    t.equal(await usersOf(server), 1, 'a check adds nobody')
    await view.check({ title: texts.title, focus: 'p' })
    const order = await page
      .locator('.figures, main .primary, #file')
      .evaluateAll((all) => all.map((one) => one.tagName))
    t.strictSame(order, ['DL', 'BUTTON', 'INPUT'], 'what comes next is below the result, and before another file')
    await page.locator('main .primary').click()
    await page.getByText(texts.added(10)).waitFor()
    t.equal(await usersOf(server), 11)
    t.equal(await page.locator('main .primary').count(), 0, 'nothing can be imported twice')
    await view.check({ title: texts.title, focus: 'p' })
    // Who is added later is not of this import.
    server.clock.advance(1)
    await server.addUser('later')
    await view.link(texts.showThem)
    await page.waitForURL(/users\?createTimeFrom=[^&]+&createTimeTo=[^&]+&sort=-createTime$/)
    await page.locator(loadedRow).nth(9).waitFor()
    const { users, list } = words as Record<string, any>
    await page.getByText(users.count(10, '10'), { exact: true }).waitFor()
    await view.button(users.export)
    t.match(await page.getByRole('dialog').innerText(), /20\d\d/, 'the export says between which times')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: list.removeFilter(users.created) }).click()
    await page.getByText(users.count(12, '12'), { exact: true }).waitFor()
    view.end()
  })

  test(`who cannot sign in is told before and after the import, in ${language}`, { skip }, async (t) => {
    const { server } = await startWithMessages(t, { time: Date.now() })
    const { page, words, ...view } = await openConsole(t, server, '/users/import', { language, name: 'import-no-way' })
    const texts = words['import']
    const rows = [
      'username,email,password',
      'reached,reached@example.com,',
      'known,,a brand new kettle',
      'bob,,',
      'eve,,',
    ]
    await page.locator('input[type=file]').setInputFiles(file(rows))
    const warning = page.locator('.notice.warn')
    await warning.waitFor()
    const who = texts.whoNot(['bob', 'eve'], 0)
    const told = (...texts: string[]) => sentencesIn(language, ...texts)
    const { both } = texts.whyNot
    t.equal(await warning.innerText(), told(texts.noWayIn(2, false), who, both, texts.beforeImport('both')))
    t.strictSame(await page.locator('.figures dd').allInnerTexts(), ['4', '4', '0'], 'they are not refused')
    await view.check({ title: texts.title, focus: 'p' })
    await page.locator('main .primary').click()
    await page.getByText(texts.added(4)).waitFor()
    t.equal(await warning.innerText(), told(texts.noWayIn(2, true), who, both, texts.afterImport('both')))
    t.match(
      await page.locator('.notice.good').innerText(),
      texts.notInvited(1),
      'who could be invited and was not is counted',
    )
    view.end()
  })

  test(`where nothing can be sent, an address does not help, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { page, words } = await openConsole(t, server, '/users/import', { language, name: 'import-no-mail' })
    const texts = words['import']
    await page.locator('input[type=file]').setInputFiles(file([head, ...ten.slice(0, 1)]))
    const warning = page.locator('.notice.warn')
    await warning.waitFor()
    t.match(await warning.innerText(), texts.whyNot.neither)
    t.match(await warning.innerText(), texts.beforeImport('neither'))
  })

  test(`no word of the table of faults is broken on a phone, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { page, words, ...view } = await openConsole(t, server, '/users/import', { language, name: 'import-narrow' })
    const rows = ['username,forcePasswordChange,phone,email', 'alice,perhaps,12,nowhere', `${'x'.repeat(300)},,,`]
    await page.setViewportSize({ width: 390, height: 720 })
    await page.locator('input[type=file]').setInputFiles(file(rows))
    await page.locator(loadedRow).nth(3).waitFor()
    const lines = await page.locator('tbody td:nth-child(2)').evaluateAll((cells: any[]) =>
      cells.map((cell) => {
        const range = cell.ownerDocument.createRange()
        range.selectNodeContents(cell)
        return range.getClientRects().length
      }),
    )
    t.strictSame(lines, [1, 1, 1, 1])
    await view.check({ title: words['import'].title, focus: 'p' })
    view.end()
  })

  test(`a thousand faults are shown in pages, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { page, words, ...view } = await openConsole(t, server, '/users/import', { language, name: 'import-faults' })
    const rows = Array.from({ length: 1000 }, (_row, at) => `user${at},Name,nowhere`)
    await page.locator('input[type=file]').setInputFiles(file([head, ...rows]))
    await page.locator(loadedRow).nth(19).waitFor()
    t.equal(await page.locator(loadedRow).count(), 20)
    await page.getByText(words.frame['pageOf'](1, 50)).waitFor()
    await view.button(words.frame['next'])
    await page.getByText(words.frame['pageOf'](2, 50)).waitFor()
    t.equal(await page.locator('tbody td.num').first().innerText(), '22')
    await view.check({ title: words['import'].title, focus: 'button' })
    view.end()
  })

  test(`what is no file of users is refused in the words of the service, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const opening = { language, name: 'import-wrong', refusals: 2 }
    const { page, words, ...view } = await openConsole(t, server, '/users/import', opening)
    const input = page.locator('input[type=file]')
    await input.setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
    })
    const alert = page.getByRole('alert')
    await alert.waitFor()
    const wrong = await alert.innerText()
    t.not(wrong, words.frame['failed'])
    t.notMatch(wrong, words.frame['unexpected'](''))
    await view.check({ title: words['import'].title, focus: 'alert' })
    // More than the service takes.
    const large = join(t.testdir(), 'large.csv')
    writeFileSync(large, head + '\n' + 'x'.repeat(101e6))
    await input.setInputFiles(large)
    await page.waitForFunction(
      (before) => {
        const text = (globalThis as any).document.querySelector('[role=alert]')?.innerText
        return text !== undefined && text !== before
      },
      wrong,
      { timeout: 30_000 },
    )
    t.not(await alert.innerText(), words.frame['unreachable'])
    view.end()
  })

  test(`a session that has ended is asked for, and the file is imported once, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await signInAs(server, 'alice', { userType: 1, permissions: ['system:user:*'] })
    const opening = { language, name: 'import-session', username: 'alice', refusals: 1 }
    const { page, words, ...view } = await openConsole(t, server, '/users/import', opening)
    await page.locator('input[type=file]').setInputFiles(file([head, ...ten]))
    await page.locator('main .primary').waitFor()
    await kick(server, 'alice')
    await page.locator('main .primary').click()
    await page.getByText(words.frame['sessionEnded']).waitFor()
    await signInAgain(page, 'alice')
    await page.getByText(words['import'].added(10)).waitFor()
    t.equal(await usersOf(server), 12)
    view.end()
  })

  test(
    `a template is downloaded, and a file that was saved again or removed is told so, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      const { page, words, ...view } = await openConsole(t, server, '/users/import', {
        language,
        name: 'import-template',
        refusals: 1,
      })
      const texts = words['import']
      // It is loaded when it is asked for; another version of the service no longer has it.
      await view.heading(texts.title)
      await page.route(/\/import-[^/]+\.js$/, (route) => route.fulfill({ status: 404 }))
      await page.reload()
      await page.getByText(words.frame['unreachable']).waitFor()
      await page.unroute(/\/import-[^/]+\.js$/)
      await view.button(words.frame['tryAgain'])
      await view.heading(texts.title)
      const template = async (format: 'csv' | 'xlsx') => {
        const [download] = await Promise.all([page.waitForEvent('download'), view.button(texts.template[format])])
        t.equal(download.suggestedFilename(), `users-template.${format}`)
        return readFileSync(await download.path())
      }
      const csv = (await template('csv')).toString()
      t.match(csv, language === 'zh' ? /^\ufeff用户名,姓名,手机号/ : /^\ufeffusername,realName,phone/)
      for (const name of csv.slice(1, csv.indexOf('\r')).split(','))
        t.match(texts.fileHint, name, 'the page names the columns so')
      if (hasWorkbooks) t.equal((await template('xlsx')).toString('latin1', 0, 2), 'PK')

      const path = join(t.testdir(), 'people.csv')
      const input = page.locator('input[type=file]')
      writeFileSync(path, csv)
      await input.setInputFiles(path)
      await page.locator('.notice', { hasText: texts.isEmpty('people.csv') }).waitFor()
      t.equal(await page.locator('main .primary').count(), 0, 'there is nobody to import')
      if (hasWorkbooks) {
        const workbook = { name: 'people.xlsx', mimeType: '', buffer: await template('xlsx') }
        await input.setInputFiles(workbook)
        await page.locator('.notice.warn', { hasText: texts.isEmpty('people.xlsx') }).waitFor()
        t.equal(await page.getByRole('alert').count(), 0, 'a workbook is told the same')
      }

      writeFileSync(path, `${csv}alice,Alice,12\r\n`)
      await input.setInputFiles(path)
      await page.locator(loadedRow).waitFor()
      const cells = await page.locator(`${loadedRow} td`).allInnerTexts()
      t.same(cells.slice(0, 2), ['3', language === 'zh' ? '手机号' : 'phone'])

      writeFileSync(path, `${csv}alice,Alice,13800138000\r\n`)
      await input.setInputFiles(path)
      await page.locator('main .primary').waitFor()
      writeFileSync(path, `${csv}alice,Alice,13800138000\r\nbob\r\n`)
      utimesSync(path, 1, 1)
      await page.locator('main .primary').click()
      await page.getByRole('alert').getByText(texts.hasChanged).waitFor()
      t.equal(await page.locator('main .primary').count(), 0)
      await view.check({ title: texts.title, focus: 'alert' })

      await input.setInputFiles(path)
      await page.locator('main .primary').waitFor()
      rmSync(path)
      await page.locator('main .primary').click()
      await page.getByRole('alert').getByText(texts.hasChanged).waitFor()
      t.equal(await usersOf(server), 1, 'nobody was added')
      view.end()
    },
  )
}
