import { test } from 'tap'
import { hasRoomForTimes, loadedRow, openConsole, saysAll } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'

for (const language of languages) {
  test(`a live session is found and ended, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    await server.addUser('bobby')
    const { accessToken } = await server.signIn('alice')
    await server.signIn('bobby')
    const { page, words, ...view } = await openConsole(t, server, '/sessions', { language, name: 'sessions' })
    const { sessions } = words as any
    const rows = page.locator(loadedRow)
    await rows.nth(2).waitFor()
    t.match(await page.locator('tbody').innerText(), sessions.yours)
    await view.check({ title: sessions.title, focus: 'body' })
    const ends = rows.getByRole('button', { name: sessions.end })
    server.clock.advance(60)
    await server.signIn('alice')
    await page.reload()
    await rows.nth(3).waitFor()
    await ends.first().press('Enter')
    await rows.nth(3).waitFor({ state: 'detached' })
    t.ok(await ends.first().evaluate((one) => one.matches(':focus')), 'the next session has the focus')
    await page.locator('.notice', { hasText: sessions.ended('alice') }).waitFor()
    t.equal(await page.getByRole('status').getByText(sessions.ended('alice')).count(), 1, 'read out once')
    await page.getByRole('searchbox').fill('ali')
    await rows.nth(1).waitFor({ state: 'detached' })
    await rows.getByRole('button', { name: sessions.end }).click()
    await view.heading(words['list'].nothing)
    await view.check({ title: sessions.title, focus: 'p' })
    t.equal((await server.call('GET', '/auth/userInfo', { token: accessToken })).status, 401)
    await view.button(words['list'].clear)
    await rows.nth(1).waitFor()
    t.equal(await rows.count(), 2)
    t.equal(await page.getByRole('searchbox').inputValue(), '')
    view.end()
  })

  test(`a session can be read as a whole on a phone, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice.pleasance.liddell', { realName: 'Alice Pleasance Liddell of Wonderland' })
    await server.signIn('alice.pleasance.liddell')
    const { page, ...view } = await openConsole(t, server, '/sessions', { language, name: 'sessions-phone' })
    await page.locator(loadedRow).nth(1).waitFor()
    t.ok(await saysAll(page))
    t.ok(await hasRoomForTimes(page))
    view.end()
  })

  test(`who may only look at sessions cannot end them, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await signInAs(server, 'alice', { userType: 1, permissions: ['system:session:list'] })
    await server.signIn('admin', adminPassword)
    const opening = { language, name: 'sessions-reader', username: 'alice' }
    const { page, words, ...view } = await openConsole(t, server, '/sessions', opening)
    await page.locator(loadedRow).first().waitFor()
    t.equal(await page.locator('tbody button').count(), 0)
    view.end()
    t.ok(words)
  })
}
