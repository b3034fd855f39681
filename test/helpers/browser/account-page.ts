import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { proveInSessions } from '../service/factors.js'
import { pageOrigin } from '../service/passkeys.js'
import { adminPassword, userPassword, type TestServer } from '../service/server.js'
import { fillSignIn, openPage, type Opening } from './pages.js'

/** Signs in as the sign-in page does: the browser gets the cookie of a page session. */
export const startSession = async (page: Page, origin: string, username: string, password = userPassword) => {
  const data = { username, password, cookie: true }
  const answer = await page.context().request.post(`${origin}/auth/login`, { headers: { origin }, data })
  if (answer.status() !== 200) throw new Error(await answer.text())
}

/** Opens a page of the account of `username`, who is signed in. */
export const openAccount = (
  t: Test,
  server: TestServer,
  path: string,
  { username = 'alice', password, ...opening }: Opening & { username?: string; password?: string },
) =>
  openPage(t, server, path, {
    ...opening,
    table: 'account',
    prepare: async (page) => {
      await startSession(page, pageOrigin(server), username, password)
      await opening.prepare?.(page)
    },
  })

/**
 * As if the user with this id, whose page this is, had set up a second factor and proved it just now. To set one up over the API would end the
 * session of the page.
 */
export const proveOnPage = async (page: Page, server: TestServer, userId?: number): Promise<void> => {
  await proveInSessions(server, userId)
  await page.route('**/auth/factors', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    const factor = { id: 'app', kind: 'totp', name: null, createTime: new Date().toISOString(), lastUsedTime: null }
    await route.fulfill({ response: answer, json: { ...json, data: { ...json.data, factors: [factor] } } })
  })
}

/** A row of a list, as a selector. While the list is on its way, empty rows hold its place. */
export const loadedRow = 'tbody > tr:not(:has(.wait))'

/** Opens a page of the console. Absent means as the first administrator. */
export const openConsole = (
  t: Test,
  server: TestServer,
  path: string,
  { username = 'admin', ...opening }: Opening & { username?: string },
) =>
  openPage(t, server, `/console${path}`, {
    ...opening,
    table: 'console',
    prepare: async (page) => {
      await startSession(page, pageOrigin(server), username, username === 'admin' ? adminPassword : userPassword)
      await opening.prepare?.(page)
    },
  })

/** Waits until the page says in a notice that something has worked; screen readers hear it once, from the status line. */
export const says = async (page: Page, text: string) => {
  await page.locator('.told .notice.good', { hasText: text }).waitFor()
  await page.locator('p.sr[role=status]', { hasText: text }).waitFor({ state: 'attached' })
}

/** Chooses a value of a filter of a list, both by their words. */
export const chooseFilter = async (page: Page, label: string, value: string) => {
  await page.locator('.filters').getByText(label, { exact: true }).click()
  await page.locator('.filters [open]').getByRole('button', { name: value, exact: true }).click()
}

/** Whether each of these texts has room in these cells of a list, which they are written into, in a window of this width. */
export const hasRoomFor = async (
  page: Page,
  cells: string,
  texts: readonly string[],
  width = 1280,
): Promise<boolean> => {
  await page.setViewportSize({ width, height: 720 })
  const found = page.locator(cells)
  if ((await found.count()) === 0) throw new Error(`there is no ${cells}`)
  return found.evaluateAll(
    (all: any[], given) =>
      all.every((cell) =>
        given.every((text) => {
          cell.textContent = text
          return cell.scrollWidth <= cell.clientWidth
        }),
      ),
    texts,
  )
}

/** Whether the longest times of both languages have room in the list. */
export const hasRoomForTimes = async (page: Page): Promise<boolean> => {
  const times = ['Nov 27, 2026, 12:17 PM', '2026年11月27日 12:17']
  const cells = 'tbody .c-time'
  return (await hasRoomFor(page, cells, times, 390)) && hasRoomFor(page, cells, times)
}

/** Whether what a cell of the list cuts off is its title, and on a phone, which shows no titles, the second lines are whole. */
export const saysAll = async (page: Page): Promise<boolean> => {
  const cutAt = async (width: number, cells: string) => {
    await page.setViewportSize({ width, height: 720 })
    return page
      .locator(cells)
      .evaluateAll((found: any[]) =>
        found.filter((one) => one.scrollWidth > one.clientWidth).map((one) => String(one.textContent)),
      )
  }
  const cut = [...(await cutAt(1280, 'tbody td:not([title])')), ...(await cutAt(390, 'tbody :is(.sub, .c-name)'))]
  return cut.length === 0
}

/** Ends the session of the browser, as its owner does elsewhere. */
export const kick = async (server: TestServer, username: string, more: { tenantId?: number } = {}) => {
  const { accessToken: token } = await server.signIn(username, undefined, more)
  await server.call('DELETE', '/auth/sessions', { token })
}

/** The account as it is stored. */
export const stored = async (server: TestServer, username: string) => {
  const user = await server.app.db.users.findByUsername(1, username)
  if (!user) throw new Error(`there is no ${username}`)
  return user
}

/** Follows the dialog that a session which has ended leads to: `username` signs in in a window, which closes itself. */
export const signInAgain = async (page: Page, username: string) => {
  const opened = page.waitForEvent('popup')
  await page.getByRole('dialog').getByRole('link').click()
  const other = await opened
  const closed = other.waitForEvent('close')
  await fillSignIn(other, username, userPassword)
  await closed
}

/** Answers our dialog about leaving a page whose changes are not saved. */
export const answerLeaving = async (page: Page, frame: Record<string, any>, answer: 'leave' | 'stay') => {
  const dialog = page.getByRole('dialog', { name: frame['leaveTitle'] as string })
  await dialog.getByText(frame['leaveChanged'] as string).waitFor()
  await dialog.getByRole('button', { name: frame[answer] as string }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Takes the cookies away once the page is gone: one that misses them on its way leads to the sign-in by itself. */
export const loseCookies = async (page: Page): Promise<void> => {
  await page.goto('about:blank')
  await page.context().clearCookies()
}
