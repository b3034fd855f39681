import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { openConsole } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { eventually } from '../../helpers/processes/process.js'
import { hasWorkbooks } from '../../helpers/service/file-formats.js'
import { startServer } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'

for (const language of languages)
  test(`the users of the list are downloaded, and no ticket is logged, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const acme = await server.operator.addTenant('Acme')
    for (let at = 10; at < 35; at += 1) await server.addUser(`user${at}`, { tenantId: acme.id })
    await server.addUser('user-off', { tenantId: acme.id, userStatus: 0 })
    const path = `/users?sort=-username&search=user&tenantId=${acme.id}&userStatus=1`
    const { page, words, ...view } = await openConsole(t, server, path, {
      language,
      name: 'users-export',
      refusals: hasWorkbooks ? 0 : 1,
    })
    const { users, list, common } = words as Record<string, any>
    await view.button(users.export)
    const dialog = page.getByRole('dialog')
    await dialog.getByText(list.filter(common.tenant, 'Acme')).waitFor()
    await dialog.getByText(users.exported(users.count(25, '25'))).waitFor()
    t.match(
      await dialog.innerText(),
      [
        list.filter(users.searchedFor, 'user'),
        list.filter(common.tenant, 'Acme'),
        list.filter(users.status, (words as any)['common'].statuses[1]),
      ].join(' · '),
    )
    t.ok(await dialog.getByText(users.wholeContacts).isVisible())
    t.equal(await dialog.getByText(users.notOnlySelected).count(), 0)
    await view.check({ title: users.title, focus: 'h2' })
    const tickets: string[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/export/ticket'))
        void response.json().then(({ data }: { data: { ticket: string } }) => tickets.push(data.ticket))
    })
    const begun = page.waitForEvent('download')
    await view.button(users.download)
    const download = await begun
    t.match(download.suggestedFilename(), /\.csv$/)
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    t.equal(lines.length, 26)
    t.match(lines[0], /^\uFEFFid,username,realName/)
    t.match(lines[1], /^\d+,user34,/)
    t.match(lines[25], /^\d+,user10,/)
    t.notMatch(lines.join(), 'user-off')
    await dialog.waitFor({ state: 'detached' })
    t.ok(await page.getByRole('button', { name: users.export }).evaluate((one) => one.matches(':focus')))

    await page.getByRole('checkbox').nth(1).check()
    await view.button(users.export)
    await dialog.getByText(users.notOnlySelected).waitFor()
    await page.locator('[name=format]').selectOption('xlsx')
    if (hasWorkbooks) {
      const second = page.waitForEvent('download')
      await view.button(users.download)
      const workbook = await second
      t.match(workbook.suggestedFilename(), /\.xlsx$/)
      t.equal(
        readFileSync(await workbook.path())
          .subarray(0, 2)
          .toString(),
        'PK',
      )
      await eventually('the second ticket', () => (tickets.length === 2 ? true : undefined))
    } else {
      await view.button(users.download)
      await dialog.getByText('CSV UTF-8').waitFor()
    }
    for (const ticket of tickets) {
      t.notOk(server.log().includes(ticket))
      t.notMatch(await page.content(), ticket)
    }
    view.end()
  })

test('who does not see contacts is told that the file has them masked', { skip }, async (t) => {
  const server = await startServer(t)
  await signInAs(server, 'desk', { permissions: ['system:user:list'] })
  const opening = { username: 'desk', name: 'users-export-masked' }
  const { page, words, ...view } = await openConsole(t, server, '/users', opening)
  await view.button((words as any)['users'].export)
  await page
    .getByRole('dialog')
    .getByText((words as any)['users'].maskedContacts)
    .waitFor()
  view.end()
})
