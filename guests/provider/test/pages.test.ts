import { test } from 'tap'
import { skip } from '../../../test/helpers/browser/browser.js'
import { fillSignIn, languages, openPage } from '../../../test/helpers/browser/pages.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { startApplication } from './start-application.js'
import { startProvider } from './start-provider.js'

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
    await page.getByText(leads[language]).waitFor()
    await page.reload()
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
