import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { test, type Test } from 'tap'
import { skip } from '../helpers/browser/browser.js'
import { addVirtualAuthenticator, enableWebAuthn } from '../helpers/browser/passkeys.js'
import { languages, openPage, type Language, startSignIn } from '../helpers/browser/pages.js'
import { userPassword } from '../helpers/service/server.js'

/** Signs in and sets up the passkey that the policy asks for. */
const setUp = async (t: Test, language: Language, refusals: number, prepare?: (page: Page) => Promise<unknown>) => {
  const server = await startSignIn(t, { settings: { secondFactor: { policy: 'required', graceDays: 0 } } })
  await server.addUser('alice')
  const view = await openPage(t, server, '/sign-in', {
    language,
    name: 'passkey',
    refusals,
    ...(prepare && { prepare }),
  })
  const { page, words } = view
  const authenticator = await addVirtualAuthenticator(await enableWebAuthn(page))
  await view.signIn('alice', userPassword)
  await view.heading(words['setUpHeading'])
  await view.button(words['setUpPasskey'])
  await view.heading(words['codesHeading'])
  await page.locator('[name=kept]').check()
  await page.locator('form .primary').click()
  await view.heading(words['doneHeading'])
  return { server, authenticator, ...view }
}

const passkeySignIn = (page: Page) =>
  page.waitForResponse(
    (response) => response.url().endsWith('/auth/login') && (response.request().postData() ?? '').includes('"passkey"'),
  )

/** The browser suggests no passkeys. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

/** Writes down what the page asks the authenticator for; what waits for a suggestion waits forever. */
const watched = (page: Page) =>
  page.addInitScript(() => {
    const { navigator, btoa } = globalThis as any
    const get = navigator.credentials.get.bind(navigator.credentials)
    const calls: object[] = []
    ;(globalThis as any).calls = calls
    navigator.credentials.get = (options: any) => {
      const challenge = btoa(String.fromCharCode(...new Uint8Array(options.publicKey.challenge)))
      const waiting = calls.filter((call: any) => call.kind === 'conditional' && !call.isAborted).length
      const call = { kind: options.mediation ?? 'modal', challenge, waiting, isAborted: false }
      calls.push(call)
      if (call.kind !== 'conditional') return get(options)
      return new Promise((_resolve, reject) => {
        options.signal.addEventListener('abort', () => {
          call.isAborted = true
          reject(options.signal.reason as Error)
        })
      })
    }
  })
const waitForCalls = (page: Page, count: number) =>
  page.waitForFunction((count) => (globalThis as any).calls.length >= count, count)
const callsOf = (page: Page) => page.evaluate<Record<string, any>[]>('calls')

for (const language of languages) {
  test(`a passkey that was set up is suggested at the next sign-in, in ${language}`, { skip }, async (t) => {
    const { page, words, authenticator, ...view } = await setUp(t, language, 1)
    t.equal((await authenticator.credentials()).length, 1)
    // The virtual authenticator picks the suggestion at once.
    const signedIn = passkeySignIn(page)
    await view.button(words.frame['signOut'])
    t.equal((await signedIn).status(), 200)
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`a passkey signs in by its button, and as a second step, in ${language}`, { skip }, async (t) => {
    const { page, words, ...view } = await setUp(t, language, 2, withoutSuggestions)
    await view.button(words.frame['signOut'])
    await page.locator('[name=username]').waitFor()
    const signedIn = passkeySignIn(page)
    await view.button(words.frame['usePasskey'])
    t.equal((await signedIn).status(), 200)
    await view.heading(words['doneHeading'])
    await view.button(words.frame['signOut'])
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    await view.check({ title: words['factorTitle'], focus: 'h1' })
    await page.locator('form .primary').click()
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`a passkey that the service does not know is refused in words, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    const opening = { language, name: 'unknown-passkey', refusals: 1, prepare: withoutSuggestions }
    const { page, words, ...view } = await openPage(t, server, '/sign-in', opening)
    const cdp = await enableWebAuthn(page)
    const { id: authenticatorId, credentials } = await addVirtualAuthenticator(cdp)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const credential = {
      credentialId: randomBytes(16).toString('base64'),
      isResidentCredential: true,
      rpId: 'localhost',
      privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      userHandle: randomBytes(16).toString('base64'),
      signCount: 0,
    }
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    await view.button(words.frame['usePasskey'])
    await page.getByRole('alert').waitFor()
    await view.check({ title: words['notSignedIn'], focus: 'alert' })
    t.equal((await credentials()).length, 0, 'the device was told to forget it')
    view.end()
  })

  test(`a passkey that is not used is said to be so, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    const opening = { language, name: 'cancelled', prepare: withoutSuggestions }
    const { page, words, ...view } = await openPage(t, server, '/sign-in', opening)
    const authenticator = await addVirtualAuthenticator(await enableWebAuthn(page))
    await view.button(words.frame['usePasskey'])
    await page.getByRole('alert').waitFor()
    t.match(await page.getByRole('alert').innerText(), words.frame['passkeyCancelled'])
    t.equal((await authenticator.credentials()).length, 0)
    view.end()
  })
}

test('what waits for a suggestion is ended before another request, and renewed in time', { skip }, async (t) => {
  const server = await startSignIn(t)
  const prepare = async (page: Page) => {
    await watched(page)
    await page.clock.install()
  }
  const { page, words, ...view } = await openPage(t, server, '/sign-in', { name: 'waiting', prepare })
  await waitForCalls(page, 1)
  // A challenge is valid for five minutes.
  await page.clock.runFor(250_000)
  await waitForCalls(page, 2)
  const [first, second] = await callsOf(page)
  t.match(first, { kind: 'conditional', isAborted: true })
  t.match(second, { kind: 'conditional', isAborted: false })
  t.not(first?.['challenge'], second?.['challenge'], 'with a new challenge')
  await view.button(words.frame['usePasskey'])
  await waitForCalls(page, 3)
  t.match((await callsOf(page))[2], { kind: 'modal', waiting: 0 })
  view.end()
})
