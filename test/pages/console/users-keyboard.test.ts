import { test } from 'tap'
import { loadedRow, openConsole, stored } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages } from '../../helpers/browser/pages.js'
import { startServer } from '../../helpers/service/server.js'

for (const language of languages)
  test(`a user is found and disabled by the keyboard alone, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    await server.addUser('bobby')
    const opening = { language, name: 'users-keyboard' }
    const { page, words, ...view } = await openConsole(t, server, '/users?sort=username', opening)
    const { users } = words as Record<string, any>
    const { keyboard } = page
    await page.locator(loadedRow).nth(2).waitFor()

    /** Tab, until the element has the focus. */
    const reach = async (selector: string) => {
      for (let at = 0; at < 40; at += 1) {
        await keyboard.press('Tab')
        if (await page.evaluate((text) => (globalThis as any).document.activeElement.matches(text), selector)) return
      }
      t.fail(`${selector} is not reached`)
    }
    const focusedText = () => page.evaluate(() => String((globalThis as any).document.activeElement.textContent))

    await reach('[type=search]')
    await keyboard.type('bob')
    await page.getByRole('row', { name: 'alice' }).waitFor({ state: 'detached' })
    await reach('tbody summary')
    await keyboard.press('ArrowDown')
    t.equal(await focusedText(), users.open)
    await keyboard.press('ArrowDown')
    t.equal(await focusedText(), users.disable)
    await keyboard.press('ArrowUp')
    await keyboard.press('ArrowUp')
    t.equal(await focusedText(), users.delete, 'round the end')
    await keyboard.press('Escape')
    t.ok(await page.locator('tbody summary').evaluate((one) => one.matches(':focus')))
    t.equal(await page.locator('.menu[open]').count(), 0)
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.getByText(users.done.disable('bobby', true)).first().waitFor()
    t.equal((await stored(server, 'bobby')).userStatus, 0)
    t.ok(await page.locator('tbody summary').evaluate((one) => one.matches(':focus')), 'the focus is where it was')

    await keyboard.press('Shift+Tab')
    await keyboard.press('Shift+Tab')
    await keyboard.press('Space')
    await page.getByText(users.selected('1')).waitFor()
    await reach('.pager select')

    const summary = page.locator('.filters').getByText(users.status, { exact: true })
    await summary.focus()
    for (const key of ['ArrowDown', 'Escape', 'ArrowDown', 'ArrowDown']) await keyboard.press(key)
    t.equal(await focusedText(), users.normal)
    t.notMatch(page.url(), 'userStatus', 'what the arrows pass is not chosen')
    await keyboard.press('Enter')
    await page.waitForURL(/userStatus=1/)
    await page.locator('.chip.on button:focus').waitFor()
    await keyboard.press('Enter')
    await page.locator('.filters summary:focus').waitFor()
    t.notMatch(page.url(), 'userStatus')
    view.end()
  })

test('menus close by Escape, and when the focus leaves them', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { page, ...view } = await openConsole(t, server, '/users', { name: 'menus-keyboard' })
  const { keyboard } = page
  const isFocused = (selector: string) =>
    page.evaluate((text) => Boolean((globalThis as any).document.activeElement.matches(text)), selector)
  await page.locator('tbody summary').first().focus()
  await keyboard.press('ArrowDown')
  await page.locator('.menu[open]').waitFor()
  for (let at = 0; at < 3; at += 1) await keyboard.press('Tab')
  await page.locator('.menu[open]').waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 390, height: 720 })
  await page.locator('.fold:not([open]) summary').focus()
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  t.ok(await isFocused('.fold[open] nav a'))
  await keyboard.press('Escape')
  t.ok(await isFocused('.fold:not([open]) > summary'), 'Escape gives the focus back')
  await keyboard.press('Enter')
  await page.locator('.fold[open] button').last().focus()
  await keyboard.press('Tab')
  t.ok(await isFocused('main *'))
  t.equal(await page.locator('.fold[open]').count(), 0, 'nothing covers the page')

  await page.setViewportSize({ width: 1280, height: 720 })
  await page.locator('.fold[open] nav a').last().focus()
  await keyboard.press('Escape')
  t.ok(await page.locator('.fold nav').isVisible(), 'a side bar stays')
  view.end()
})
