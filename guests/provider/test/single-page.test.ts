import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { skip } from '../../../test/helpers/browser/browser.js'
import { fillSignIn, openPage } from '../../../test/helpers/browser/pages.js'
import { root } from '../../../test/helpers/processes/project.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { readFixture } from './applications/real.js'
import { startProvider } from './start-provider.js'

const library = readFileSync(join(root, 'node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js'))

/** A single-page application on an origin of its own, by the library that most of them have. */
const startSinglePage = async (t: Test): Promise<string> => {
  const page = readFixture('spa.html')
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/oidc-client-ts.js'
    response
      .writeHead(200, { 'content-type': isLibrary ? 'text/javascript' : 'text/html' })
      .end(isLibrary ? library : page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a single-page application signs people in by redirect and by a window, and refreshes', { skip }, async (t) => {
  const { server, issuer, addClient } = await startProvider(t, { name: 'localhost' })
  const origin = await startSinglePage(t)
  await addClient({ id: 'spa', name: 'Board', type: 'public', redirectUris: [`${origin}/`], refreshTokens: 'session' })
  const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'spa', language: 'en' })
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor()

  await page.goto(`${origin}/?issuer=${issuer}`)
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator('#popup').click()])
  await popup.getByText('To go on to Board.').waitFor()
  await fillSignIn(popup, 'alice', userPassword)
  await heading('hello alice')
  t.ok(popup.isClosed(), 'the window has found its opener and has gone')

  await page.locator('#refresh').click()
  await heading(/^renewed /)
  const first = await page.locator('h1').innerText()
  await page.locator('#refresh').click()
  await page.waitForFunction(
    (before: string) => (globalThis as any).document.querySelector('h1')?.textContent !== before,
    first,
  )
  await heading(/^renewed /)

  await page.goto(`${origin}/?issuer=${issuer}`)
  await page.locator('#redirect').click()
  await heading('hello alice')
  await server.operator.setEnabled('alice', false)
  await page.locator('#refresh').click()
  await heading(/^refused: /)
  // The refresh that is refused.
  t.equal(view.complaints.splice(0).length, 1)
})
