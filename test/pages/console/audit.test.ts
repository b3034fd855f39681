import { test } from 'tap'
import { loadedRow, chooseFilter, hasRoomForTimes, openConsole } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { startServer } from '../../helpers/service/server.js'

const hostile = '<img src=x onerror=alert(1)>{{7*7}}'

for (const language of languages)
  test(`the audit trail shows what was before and after, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    const { accessToken: token } = await server.signIn('admin')
    const change = async (json: unknown) =>
      t.equal((await server.call('PATCH', `/system/user/${id}`, { token, json })).status, 200)
    await change({ realName: 'Alice', remark: hostile })
    await change({ realName: hostile, remark: '' })
    const { page, words, ...view } = await openConsole(t, server, '/audit', { language, name: 'audit' })
    const { audit } = words as any
    const rows = page.locator(`table.audit > ${loadedRow}`)
    await rows.nth(1).waitFor()
    t.match(await rows.first().textContent(), `${audit.kinds.user} alice`)
    t.match(await rows.first().innerText(), new RegExp(`\\d\\d:\\d\\d:\\d\\d\\s[^]*${audit.actions['user.edit']}`))
    t.equal(await rows.first().locator('td[title="user.edit"]').count(), 1, 'the code is the title')
    t.notMatch(await rows.first().innerText(), 'user.edit')
    const open = rows.first().getByRole('button')
    t.equal(await open.getAttribute('aria-expanded'), 'false')
    await open.click()
    t.equal(await open.getAttribute('aria-expanded'), 'true')
    const diff = await page.locator('.diff').innerText()
    t.match(diff, '<img src=x onerror=alert(1)>{{7*7}}')
    t.match(diff, 'Alice')
    t.match(diff, audit.empty)
    await view.check({ title: audit.title, focus: 'button' })
    await chooseFilter(page, audit.kind, audit.kinds.role)
    await view.heading(words['list'].nothing)
    await view.button(words['list'].removeFilter(audit.kind))
    await rows.nth(1).waitFor()
    t.ok(await hasRoomForTimes(page))
    view.end()
  })
