import type { Page } from 'playwright-core'
import { test } from 'tap'
import { openAccount } from '../helpers/browser/account-page.js'
import { skip } from '../helpers/browser/browser.js'
import { addVirtualAuthenticator, enableWebAuthn } from '../helpers/browser/passkeys.js'
import { languages, openPage, startSignIn, wordsOf, type Language } from '../helpers/browser/pages.js'
import { addPasskey, authenticatorOf, pageOrigin } from '../helpers/service/passkeys.js'
import { startServer, userPassword, type TestServer } from '../helpers/service/server.js'

/** What browsers throw. The last one is none that the page knows. */
const names = ['NotAllowedError', 'InvalidStateError', 'SecurityError', 'ConstraintError', 'NotReadableError'] as const
type Name = (typeof names)[number]

/** The browser refuses each passkey with the fault `window.fault`, and suggests none. */
const refusing = (page: Page) =>
  page.addInitScript(`
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
    navigator.credentials.get = navigator.credentials.create = async () => { throw new DOMException('no', window.fault) }
  `)
const setFault = (page: Page, name: Name) => page.evaluate(`window.fault = '${name}'`)

/** The sentence for a fault; `cancelled` differs by place. */
const sentenceOf = async (language: Language, name: Name, server: TestServer, cancelled: string): Promise<string> => {
  const { passkeyFaults } = (await wordsOf(language)).frame as { passkeyFaults: any }
  if (name === 'NotAllowedError') return cancelled
  if (name === 'SecurityError') return passkeyFaults.SecurityError(pageOrigin(server)) as string
  return (passkeyFaults[name] ?? passkeyFaults.other) as string
}

for (const language of languages) {
  test(`at the sign-in each fault of a passkey has its sentence, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    const opening = { language, name: 'passkey-faults', prepare: refusing }
    const { page, words, ...view } = await openPage(t, server, '/sign-in', opening)
    const said = new Set<string>()
    for (const name of names) {
      await setFault(page, name)
      const sentence = await sentenceOf(language, name, server, words.frame['passkeyCancelled'])
      await view.button(words.frame['usePasskey'])
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
      said.add(sentence)
    }
    t.equal(said.size, names.length)
    t.notMatch([...said].join(), /reload|load the page|重新加载/i)
    view.end()
  })

  test(`at the second step a fault of a passkey leaves the ticket, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t)
    await server.addUser('alice')
    const { accessToken: token } = await server.signIn('alice')
    const { recoveryCodes = [] } = await addPasskey(t, server, authenticatorOf(server), { token })
    const opening = { language, name: 'second-step-faults', refusals: 1, prepare: refusing }
    const { page, words, ...view } = await openPage(t, server, '/sign-in', opening)
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    for (const name of names) {
      await setFault(page, name)
      const sentence = await sentenceOf(language, name, server, words.frame['passkeyCancelled'])
      await page.locator('form .primary').click()
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    await view.check({ title: words['factorTitle'], focus: 'alert' })
    await view.button(words['recoveryCode'])
    await view.send({ code: recoveryCodes[0] ?? '' })
    await view.heading(words['doneHeading'])
    view.end()
  })

  test(`at the set-up a fault of a passkey leaves the ticket for an app, in ${language}`, { skip }, async (t) => {
    const server = await startSignIn(t, { settings: { secondFactor: { policy: 'required', graceDays: 0 } } })
    await server.addUser('alice')
    const opening = { language, name: 'set-up-faults', refusals: 1, prepare: refusing }
    const { page, words, ...view } = await openPage(t, server, '/sign-in', opening)
    await view.signIn('alice', userPassword)
    await view.heading(words['setUpHeading'])
    for (const name of names) {
      await setFault(page, name)
      const sentence = await sentenceOf(language, name, server, words.frame['passkeyNotMade'])
      await view.button(words['setUpPasskey'])
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    await view.button(words['setUpApp'])
    await page.locator('.qr').waitFor()
    view.end()
  })

  test(`at the account each fault has its sentence, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const opening = { language, name: 'account-faults', prepare: refusing }
    const { page, words, ...view } = await openAccount(t, server, '/account/security', opening)
    for (const name of names) {
      await setFault(page, name)
      await view.button(words['addPasskey'])
      const sentence = await sentenceOf(language, name, server, words.frame['passkeyNotMade'])
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    view.end()
  })

  test(`in the dialog each fault has its sentence, and another way goes on, in ${language}`, { skip }, async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { accessToken: token } = await server.signIn('alice')
    const { recoveryCodes = [] } = await addPasskey(t, server, authenticatorOf(server), { token })
    const opening = { language, name: 'dialog-faults', refusals: 2, prepare: refusing }
    const { page, words, ...view } = await openPage(t, server, '/sign-in?next=/account/security', opening)
    const account = await wordsOf(language, 'account')
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    await view.button(words['recoveryCode'])
    await view.send({ code: recoveryCodes[0] ?? '' })
    await view.heading(account['security'])
    // A proof of ten minutes ago is asked for again.
    server.clock.advance(601)
    await view.button(account['newCodes'])
    const dialog = page.getByRole('dialog')
    for (const name of names) {
      await setFault(page, name)
      await dialog.locator('form .primary').click()
      const sentence = await sentenceOf(language, name, server, words.frame['passkeyCancelled'])
      await dialog.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    const { frame } = await wordsOf(language, 'account')
    await dialog.getByRole('button', { name: frame['factors'].recovery }).click()
    await dialog.locator('[name=code]').fill(recoveryCodes[1] ?? '')
    await dialog.locator('form .primary').click()
    await page.locator('.codes').waitFor()
    view.end()
  })
}

test('a device that has a passkey of the account says so', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { page, words, ...view } = await openAccount(t, server, '/account/security', { name: 'twice' })
  const authenticator = await addVirtualAuthenticator(await enableWebAuthn(page))
  await view.button(words['addPasskey'])
  await page.getByRole('dialog').locator('.codes').waitFor()
  await view.button(words['codesKept'])
  await page.getByText(words['passkeyAdded']).first().waitFor()
  t.equal((await authenticator.credentials()).length, 1)
  await view.button(words['addPasskey'])
  const { passkeyFaults } = words.frame as { passkeyFaults: any }
  await page.getByRole('alert').filter({ hasText: passkeyFaults.InvalidStateError }).waitFor()
  t.equal((await authenticator.credentials()).length, 1)
  view.end()
})

test(
  'passkeys are not offered at an address where they cannot work, which names one where they do',
  { skip },
  async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { accessToken: token } = await server.signIn('alice')
    await addPasskey(t, server, authenticatorOf(server), { token })
    // An IP address is a secure context here, and has no passkeys of `localhost`.
    const opening = { name: 'elsewhere', host: server.origin, refusals: 1 }
    const { page, words, ...view } = await openPage(t, server, '/sign-in', opening)
    const sentence = words.frame['passkeyFaults'].SecurityError(pageOrigin(server)) as string
    t.equal(await page.locator('.notice.warn').innerText(), sentence)
    t.equal(await page.getByRole('button', { name: words.frame['usePasskey'] }).count(), 0)
    await view.signIn('alice', userPassword)
    await view.heading(words['factorHeading'])
    t.equal(await page.getByRole('button', { name: words.frame['usePasskey'] }).count(), 0)
    await page.locator('[name=code]').waitFor()
    view.end()
  },
)
