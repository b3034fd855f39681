import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { pageOrigin } from '../service/passkeys.js'
import { userPassword, type TestServer } from '../service/server.js'
import { openPage, type Opening } from './pages.js'

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
  { username = 'alice', ...opening }: Opening & { username?: string },
) =>
  openPage(t, server, path, {
    ...opening,
    table: 'account',
    prepare: async (page) => {
      await startSession(page, pageOrigin(server), username)
      await opening.prepare?.(page)
    },
  })

/** The account as it is stored. */
export const stored = async (server: TestServer, username: string) => {
  const user = await server.app.db.users.findByUsername(1, username)
  if (!user) throw new Error(`there is no ${username}`)
  return user
}
