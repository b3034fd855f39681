import { test, type Test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import {
  addVirtualAuthenticator,
  callInPage,
  enableWebAuthn,
  proveInPage,
  registerInPage,
  servePasskeyPage,
  type VirtualOptions,
} from '../helpers/browser/passkeys.js'
import { freePort } from '../helpers/processes/free-port.js'
import { pageOrigin } from '../helpers/service/passkeys.js'
import { startServer, userPassword, type ServerOptions, type TestServer } from '../helpers/service/server.js'

const started = async (
  t: Test,
  {
    options = {},
    origin,
    virtual,
  }: {
    options?: ServerOptions
    origin?: (server: TestServer) => string
    virtual?: VirtualOptions
  } = {},
) => {
  const server = await startServer(t, { ...options, extend: servePasskeyPage })
  await server.addUser('alice')
  const { page, complaints } = await openBrowser(t)
  const cdp = await enableWebAuthn(page)
  await page.goto(`${(origin ?? pageOrigin)(server)}/app`)
  const authenticator = await addVirtualAuthenticator(cdp, virtual)
  const { accessToken: token } = await server.signIn('alice')
  return { server, page, cdp, authenticator, token, complaints }
}

/** Takes a picture where somebody wants to look at it. */
const shoot = async (page: Awaited<ReturnType<typeof openBrowser>>['page'], name: string, text: string) => {
  const folder = process.env['ROLLCALL_TEST_SCREENSHOTS']
  await page.getByRole('status').evaluate((element, text) => (element.textContent = text), text)
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test(
  'in Chromium a person sets up a passkey, signs in without a name, as a second step, and in a live session',
  { skip },
  async (t) => {
    const { server, page, authenticator, token, complaints } = await started(t)
    const made = await registerInPage(page, { token })
    t.equal(made.status, 200, JSON.stringify(made.data))
    t.match(made.data.factor, { kind: 'passkey', discoverable: true, secondOnly: false, backedUp: false })
    t.equal(made.data.recoveryCodes.length, 10)
    const [credential] = await authenticator.credentials()
    t.match(credential, { isResidentCredential: true, rpId: 'localhost' })

    const alone = await proveInPage(page)
    t.equal(alone.status, 200, JSON.stringify(alone.data))
    t.equal(alone.data.userInfo.username, 'alice')
    await shoot(page, 'without-a-name', `Signed in as ${alone.data.userInfo.username}`)

    const first = await callInPage(page, 'auth/login', { username: 'alice', password: userPassword })
    t.equal(first.status, 403)
    t.strictSame(first.data.methods, ['passkey', 'recovery'])
    const { ticket } = first.data
    t.equal((await proveInPage(page, { ticket })).status, 200)

    server.clock.advance(601)
    const late = await callInPage(page, 'auth/factors/passkey/options', {}, token)
    t.equal(late.data.reason, 'step_up_required')
    const stepUp = await proveInPage(page, { token })
    t.match(stepUp, { status: 200, data: { acr: 'aal2' } })
    t.equal((await registerInPage(page, { token })).data, 'InvalidStateError', 'the browser knows that it has one')
    t.same(
      complaints.filter((text) => !/\b40[03]\b/.test(text)),
      [],
    )
  },
)

test('in Chromium a passkey in the list of user names signs in', { skip }, async (t) => {
  const { page, token } = await started(t)
  await registerInPage(page, { token })
  t.equal(await page.evaluate('PublicKeyCredential.isConditionalMediationAvailable()'), true)
  const signedIn = await proveInPage(page, {}, { useBrowserAutofill: true })
  t.equal(signedIn.data.userInfo?.username, 'alice', JSON.stringify(signedIn))
  await shoot(page, 'conditional', `Signed in as ${signedIn.data.userInfo?.username as string}`)
})

test('in Chromium a passkey of one page signs in on another page below the same rpId', { skip }, async (t) => {
  const port = await freePort()
  const [here, there] = ['a', 'b'].map((name) => `http://${name}.app.localhost:${port}`) as [string, string]
  const settings = { passkeys: { rpId: 'app.localhost', origins: [here, there] } }
  const { page, token } = await started(t, { options: { settings, port }, origin: () => here })
  t.equal((await registerInPage(page, { token })).status, 200)
  await page.goto(`${there}/app`)
  const signedIn = await proveInPage(page)
  t.equal(signedIn.status, 200, JSON.stringify(signedIn.data))
  await page.goto(`http://c.app.localhost:${port}/app`)
  t.match(await proveInPage(page), { status: 400, data: { reason: 'invalid_grant' } })
  await page.goto(`http://localhost:${port}/app`)
  t.match(await proveInPage(page), { status: 0, data: 'SecurityError' }, 'not below the rpId: the browser refuses')
})

test('in Chromium a page of another origin is refused, and the log has both origins', { skip }, async (t) => {
  const { server, page, token } = await started(t, {
    options: { settings: { passkeys: { rpId: 'localhost', origins: ['http://localhost:1'] } } },
  })
  const refused = await registerInPage(page, { token })
  t.match(refused, { status: 400, data: { reason: 'invalid_grant' } })
  const line = server
    .log()
    .split('\n')
    .find((text) => text.includes('a passkey of another origin is refused'))
  t.match(JSON.parse(line ?? '{}'), { expected: ['http://localhost:1'], received: pageOrigin(server) })
})

test('in Chromium a key of one device whose counter goes back is refused', { skip }, async (t) => {
  const { server, page, authenticator, token } = await started(t)
  await registerInPage(page, { token })
  t.equal((await proveInPage(page)).status, 200)
  t.equal((await proveInPage(page)).status, 200)
  await authenticator.setCounter(0)
  t.match(await proveInPage(page), { status: 400, data: { reason: 'invalid_grant' } })
  t.match(server.log(), /a passkey that may have been copied is refused/)
})

test('in Chromium the counter of a passkey that is backed up does not matter', { skip }, async (t) => {
  const virtual = { defaultBackupEligibility: true, defaultBackupState: true }
  const { server, page, authenticator, token } = await started(t, { virtual })
  const made = await registerInPage(page, { token })
  t.match(made.data.factor, { backedUp: true })
  t.equal((await proveInPage(page)).status, 200)
  await authenticator.setCounter(0)
  t.equal((await proveInPage(page)).status, 200)
  t.notMatch(server.log(), /may have been copied/)
})

test('in Chromium a passkey without verification is no sign-in by itself, and a second step', { skip }, async (t) => {
  const { page, cdp, authenticator, token } = await started(t)
  await registerInPage(page, { token })
  await authenticator.setVerified(false)
  t.match(await proveInPage(page), { status: 0, data: 'NotAllowedError' }, 'the browser refuses')
  await authenticator.setVerified(true)
  for (const bits of [{ isBadUV: true }, { isBadUP: true }, { isBogusSignature: true }]) {
    await authenticator.override(bits)
    t.match(await proveInPage(page), { status: 400, data: { reason: 'invalid_grant' } }, JSON.stringify(bits))
  }
  await authenticator.override({})
  t.equal((await proveInPage(page)).status, 200)
  await authenticator.remove()

  const key = await addVirtualAuthenticator(cdp, { transport: 'usb' })
  t.match(await registerInPage(page, { token }), { data: { factor: { secondOnly: true, discoverable: false } } })
  const { ticket } = (await callInPage(page, 'auth/login', { username: 'alice', password: userPassword })).data
  t.equal((await proveInPage(page, { ticket })).status, 200)
  await key.remove()
})
