import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'tap'
import { skip } from '../../../test/helpers/browser/browser.js'
import { fillSignIn, languages, openPage, type Language } from '../../../test/helpers/browser/pages.js'
import { root } from '../../../test/helpers/processes/project.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { startApplication } from './start-application.js'
import { startDocuments } from './start-documents.js'
import { startProvider } from './start-provider.js'

/** The words that the guest brings. */
const ownWords = async (language: Language): Promise<Record<string, any>> => {
  const table = (await import(join(root, 'guests/provider/pages/words.ts'))) as {
    words: Record<string, any>
    setWords: (language: Language) => void
  }
  table.setWords(language)
  return table.words
}

const leads = { en: 'To go on to Grafana.', zh: '登录后将前往 Grafana。' }

for (const language of languages)
  test(`two people sign in to an application one after the other, in ${language}`, { skip }, async (t) => {
    const { server, issuer, addClient, connect } = await startProvider(t, { name: 'localhost' })
    await server.addUser('bob')
    const application = await startApplication(t, connect)
    application.use(await addClient({ redirectUris: [application.redirectUri] }))

    const { page, words, ...view } = await openPage(t, server, '/sign-in', { language, name: 'application' })
    await page.goto(`${application.origin}/login?login_hint=alice`)
    await page.getByText(leads[language]).waitFor()
    await view.check({ title: words['signIn'], focus: 'username' })
    t.equal(await page.locator('[name=username]').inputValue(), 'alice')
    await page.locator('[name=password]').fill('wrong')
    await page.locator('form .primary').click()
    await page.getByRole('alert').waitFor()
    await fillSignIn(page, 'alice', userPassword)
    await page.getByRole('heading', { name: 'hello \"alice\"' }).waitFor()

    await page.goto(`${application.origin}/login`)
    await page.getByRole('heading', { name: 'hello \"alice\"' }).waitFor()
    server.clock.advance(5)
    await page.goto(`${application.origin}/login?prompt=login`)
    const { other } = await ownWords(language)
    await page.getByText(other).waitFor()
    await page.reload()
    await page.getByText(other).click()
    await page.getByText(leads[language]).waitFor()
    await fillSignIn(page, 'bob', userPassword)
    await page.getByRole('heading', { name: 'hello \"bob\"' }).waitFor()
    await page.goto(`${issuer}/account`)
    t.equal(await page.locator('[name=username]').inputValue(), 'bob')

    const { length } = view.complaints
    t.equal(length, 1, 'the wrong password')
    view.complaints.splice(0)
  })

test('a sign-in that is over, and one that is refused, end on a page with a way on', { skip }, async (t) => {
  const { server, addClient, connect } = await startProvider(t, { name: 'localhost' })
  const application = await startApplication(t, connect)
  const { redirectUri } = application
  application.use(await addClient({ redirectUris: [redirectUri], access: { tenants: [], roles: ['staff'] } }))
  const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'refused' })
  await page.goto(`${application.origin}/login`)
  await fillSignIn(page, 'alice', userPassword)
  await page.getByRole('heading', { name: 'You may not use Grafana' }).waitFor()
  const denied = page.url()
  await page.getByText('Sign in as somebody else').click()
  await page.getByText(leads.en).waitFor()
  await fillSignIn(page, 'alice', userPassword)
  await page.getByRole('heading', { name: 'You may not use Grafana' }).waitFor()
  await server.operator.addRole('staff', 'Staff', [])
  await server.operator.assign('staff', 'alice')
  await page.reload()
  await page.getByRole('heading', { name: 'hello \"alice\"' }).waitFor()
  await server.operator.setRoles(2, [])
  await page.goto(`${application.origin}/login`)
  await page.getByText('Back to Grafana').click()
  await page.getByRole('heading', { name: 'refused: access_denied' }).waitFor()
  await page.goto(denied)
  await page.getByRole('heading', { name: 'This sign-in is over' }).waitFor()
  view.complaints.splice(0)
})

for (const language of languages)
  test(
    `somebody allows an application to know them, and ends that in the account, in ${language}`,
    { skip },
    async (t) => {
      const { server, issuer, addClient, connect } = await startProvider(t, { name: 'localhost' })
      const application = await startApplication(t, connect)
      const homeUrl = 'https://grafana.example.com/'
      application.use(await addClient({ redirectUris: [application.redirectUri], consent: 'once', homeUrl }))
      const own = await ownWords(language)
      const { page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'consent' })
      await page.goto(`${application.origin}/login`)
      await page.getByText(own['lead']('Grafana')).waitFor()
      await fillSignIn(page, 'alice', userPassword)
      await page.getByText(own['scopes']['groups']).waitFor()
      await view.check({ title: own['consentTitle'], focus: 'h1' })
      t.match(await page.locator('h1').textContent(), 'Grafana')
      t.match(await page.locator('main').textContent(), 'alice')
      await page.getByRole('button', { name: own['refuse'] }).click()
      await page.getByRole('heading', { name: 'refused: access_denied' }).waitFor()
      await page.goto(`${application.origin}/login`)
      await page.getByRole('button', { name: own['allow'], exact: true }).click()
      await page.getByRole('heading', { name: 'hello "alice"' }).waitFor()
      await page.goto(`${application.origin}/login`)
      await page.getByRole('heading', { name: 'hello "alice"' }).waitFor()

      await page.goto(`${issuer}/account/applications`)
      t.equal(await page.getByRole('link', { name: 'Grafana' }).getAttribute('href'), homeUrl)
      await page.getByRole('button', { name: own['endOf']('Grafana') }).click()
      await page.getByRole('dialog').getByText(own['endHint']).waitFor()
      await page.getByRole('dialog').locator('.danger').click()
      await page.getByText(own['none']).waitFor()
      await view.check({ title: own['applications'], focus: 'p' })
      await page.goto(`${application.origin}/login`)
      await page.getByRole('button', { name: own['allow'], exact: true }).waitFor()
    },
  )

for (const language of languages)
  test(
    `somebody reads what an agent may do and where it is described, and ends that in the account, in ${language}`,
    { skip },
    async (t) => {
      const notes = 'https://notes.example.com/mcp'
      const documents = await startDocuments(t)
      const id = documents.publish('/agent.json', { client_name: 'Agent' })
      const provider = {
        resources: [{ id: notes, name: 'Notes', scopes: ['notes:read', 'notes:write'] }],
        ...{ clientDocuments: [id], allowPrivateAddresses: true },
      }
      const { server, issuer } = await startProvider(t, {
        name: 'localhost',
        settings: { provider: provider },
      })
      const own = await ownWords(language)
      const { page, ...view } = await openPage(t, server, '/sign-in', { language, name: 'agent' })
      const agent = createServer((_request, response) => response.end('back')).listen(0, '127.0.0.1')
      await once(agent, 'listening')
      t.teardown(() => agent.close())
      const callback = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`
      const query = new URLSearchParams({
        ...{ client_id: id, redirect_uri: callback, response_type: 'code', resource: notes },
        ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      })
      await page.goto(`${issuer}/oidc/authorize?${query.toString()}`)
      await page.getByText(own['lead']('Agent')).waitFor()
      await fillSignIn(page, 'alice', userPassword)
      await page.getByText(own['unchecked'](new URL(id).host)).waitFor()
      await view.check({ title: own['consentTitle'], focus: 'h1' })
      const text = (await page.locator('main').textContent()) ?? ''
      t.match(text, own['does']('Notes').join(''))
      for (const scope of ['notes:read', 'notes:write']) t.match(text, scope)
      t.notMatch(text, own['gets'], 'it gets to know nothing')
      t.equal(await page.locator('h1').textContent(), own['acts']('Agent').join(''))
      await page.getByRole('button', { name: own['allow'], exact: true }).click()
      await page.waitForURL(`${callback}?code=*`)

      await page.goto(`${issuer}/account/applications`)
      const host = new URL(id).host
      await page.getByText(own['at']('notes:read', 'notes.example.com')).waitFor()
      await page.getByRole('button', { name: own['endOf'](host) }).click()
      await page.getByRole('dialog').locator('.danger').click()
      await page.getByText(own['none']).waitFor()
      view.complaints.splice(0)
    },
  )

test(
  'who is signed in proves it once more in this session, or sets up the factor that is asked for',
  { skip },
  async (t) => {
    const { server, addClient, connect } = await startProvider(t, { name: 'localhost' })
    const application = await startApplication(t, connect)
    application.use(await addClient({ redirectUris: [application.redirectUri] }))
    const own = await ownWords('en')
    const { page, ...view } = await openPage(t, server, '/sign-in', { name: 'step-up' })
    await page.goto(`${application.origin}/login`)
    await fillSignIn(page, 'alice', userPassword)
    await page.getByRole('heading', { name: 'hello "alice"' }).waitFor()
    server.clock.advance(5)
    await page.goto(`${application.origin}/login?prompt=login`)
    await page.locator('[name=password]').waitFor()
    await view.check({ title: own['confirmTitle'], focus: 'password' })
    await page.locator('[name=password]').fill('wrong')
    await page.locator('form .primary').click()
    await page.locator('#password-fault').waitFor()
    await page.locator('[name=password]').fill(userPassword)
    await page.locator('form .primary').click()
    await page.getByRole('heading', { name: 'hello "alice"' }).waitFor()
    t.equal((await server.app.db.sessions.live(2, server.clock.now())).length, 1, 'in the session that is there')

    await page.goto(`${application.origin}/login?acr_values=aal2`)
    await page.getByText(own['factor']('Grafana')).waitFor()
    await view.check({ title: own['factorTitle'], focus: 'h1' })
    await page.getByText(own['setUp']).click()
    await page.waitForURL('**/account/security')
    view.complaints.splice(0)
  },
)
