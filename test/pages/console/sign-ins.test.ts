import { test } from 'tap'
import {
  loadedRow,
  chooseFilter,
  hasRoomFor,
  hasRoomForTimes,
  openConsole,
  saysAll,
} from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { enrol, firstStep } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

/** What could become markup. Headers have no characters beyond Latin-1. */
const hostile = '<img src=x onerror=alert(1)>{{7*7}}'

for (const language of languages) {
  test(`the login log is searched, filtered and paged, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    await server.signIn('alice')
    await server.addUser('bobby')
    for (const username of ['alice', 'bobby'])
      await server.call('POST', '/auth/login', {
        headers: { 'user-agent': hostile },
        json: { username, password: 'wrong password' },
      })
    const { page, words, ...view } = await openConsole(t, server, '/sign-ins', { language, name: 'sign-ins' })
    const rows = page.locator(loadedRow)
    await rows.nth(3).waitFor()
    await view.check({ title: words['signIns']['title'], focus: 'body' })
    t.equal(await page.locator(`td[title="${hostile}"]`).count(), 2)

    const shown = await page.locator('tbody').innerText()
    t.match(shown, words['signIns'].reasons.invalid_credentials)
    t.notMatch(shown, 'invalid_credentials', 'words, not codes')
    t.match(shown, /\d\d:\d\d:\d\d/, 'to the second')

    const search = page.getByRole('searchbox')
    await search.fill('BOB')
    await page.waitForURL(/subject=BOB/)
    await rows.nth(1).waitFor({ state: 'detached' })
    t.match(await rows.innerText(), 'bobby')
    t.ok(await search.evaluate((input) => input === (globalThis as any).document.activeElement))
    await search.fill('')
    await rows.nth(3).waitFor()

    await chooseFilter(page, words['signIns']['outcome'], words['signIns']['refused'])
    await rows.nth(2).waitFor({ state: 'detached' })
    t.equal(await rows.count(), 2)
    await page.goBack()
    await rows.nth(3).waitFor()
    await page.reload()
    await rows.nth(3).waitFor()
    t.ok(await hasRoomForTimes(page))
    view.end()
  })

  test(`a masked name is explained where one is shown, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id: tenantId } = await server.operator.addTenant('Acme')
    await server.addUser('alice')
    await server.addUser('trudy', { tenantId })
    for (const username of ['alice', 'trudy'])
      await server.call('POST', '/auth/login', { json: { username, password: 'wrong password' } })
    const { page, words, ...view } = await openConsole(t, server, '/sign-ins', { language, name: 'masked' })
    const hint = page.locator('main .hint', { hasText: words['signIns'].masked })
    await page.locator(loadedRow).getByText('t******', { exact: true }).waitFor()
    await hint.waitFor()
    await view.check({ title: words['signIns'].title, focus: 'body' })
    await page.getByRole('searchbox').fill('alice')
    await page.locator(loadedRow).getByText('t******', { exact: true }).waitFor({ state: 'detached' })
    await hint.waitFor({ state: 'detached' })
    view.end()
  })

  test(`a sign-in that goes on with a second step is no refusal, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    const { id } = await server.addUser('alice')
    await enrol(t, server, (await server.signIn('alice', userPassword)).accessToken)
    const ticket: string = (await firstStep(server, 'alice')).body.data.ticket
    const { accessToken: token } = await server.signIn()
    await server.call('DELETE', `/system/user/${id}/factors`, { token })
    const { status } = await server.call('POST', '/auth/login', { json: { authType: 'totp', code: '123456', ticket } })
    t.equal(status, 400)
    const { page, words, ...view } = await openConsole(t, server, '/sign-ins', { language, name: 'second-step' })
    const row = page.locator(loadedRow).filter({ hasText: words['signIns']['secondStep'] })
    await row.waitFor()
    t.equal(await row.locator('.status.off').innerText(), words['signIns']['secondStep'])
    await page.locator(loadedRow).getByText(words['signIns']['factorGone'], { exact: true }).waitFor()
    t.equal(await page.locator('.status.locked').count(), 1)
    view.end()
  })

  test(
    `what a cell of the sign-ins cuts off is its title, and nothing is cut on a phone, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      const username = 'alice.pleasance.liddell.of.wonderland'
      await server.addUser(username)
      for (let at = 0; at < 2; at += 1)
        await server.call('POST', '/auth/login', { json: { username, password: 'wrong' } })
      const { page, words, ...view } = await openConsole(t, server, '/sign-ins', { language, name: 'cut' })
      const { signIns } = words as any
      const row = page.locator(loadedRow).filter({ hasText: username })
      await row.waitFor()
      const outcome = `${signIns.refused} ${signIns.times(2)} · ${signIns.reasons.invalid_credentials}`
      t.equal(await row.locator(`td[title="${outcome}"]`).count(), 1)
      t.equal(await row.locator(`td[title="${words.frame['methods']('password')}"]`).count(), 1)
      t.ok(await saysAll(page))
      const longest = `${signIns.refused} ${signIns.times(17)} · ${signIns.factorGone}`
      t.ok(await hasRoomFor(page, 'tbody td:nth-child(3)', [longest]), 'the reason is whole')
      view.end()
    },
  )
}
