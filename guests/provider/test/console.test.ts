import { test } from 'tap'
import { openConsole, says } from '../../../test/helpers/browser/account-page.js'
import { skip } from '../../../test/helpers/browser/browser.js'
import { languages } from '../../../test/helpers/browser/pages.js'
import { ownWords } from './console-words.js'
import { startProvider } from './start-provider.js'

for (const language of languages) {
  test(
    `an administrator adds an application that is known, changes it and sees what it gets, in ${language}`,
    { skip },
    async (t) => {
      const { server, issuer, alice } = await startProvider(t, { name: 'localhost' })
      await server.operator.addRole('staff', 'Staff', [])
      const own = await ownWords(language)
      const { page, ...view } = await openConsole(t, server, '/applications', {
        language,
        name: 'applications',
        refusals: 1,
      })
      await page.getByText(own['none']).waitFor()
      await view.check({ title: own['title'], focus: 'body' })
      await page.getByRole('link', { name: own['add'] }).first().click()
      await page.locator('[name=known]').selectOption('grafana')
      await page.locator('[name=redirectUris]').waitFor({ state: 'detached' })
      t.equal(await page.locator('[name=name]').inputValue(), 'Grafana')
      await page.locator('[name=homeUrl]').fill('grafana.example.com')
      await page.locator('form .primary').click()
      await page.locator('#homeUrl-fault').waitFor()
      await view.check({ title: own['add'], focus: 'homeUrl' })
      await page.locator('[name=homeUrl]').fill('https://grafana.example.com')
      await page.locator('form .primary').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(own['madeHint']).waitFor()
      await view.check({ title: own['add'], focus: 'h2' })
      const secret = await dialog.locator('pre').innerText()
      t.match(secret, /^[\w-]{43}$/)
      await dialog.getByRole('button', { name: own['done'] }).click()
      await says(page, own['added']('Grafana'))
      await view.check({ title: 'Grafana', focus: 'main' })
      t.notMatch(await page.content(), secret, 'it is not shown again')
      const facts = page.locator('.facts').first()
      t.match(await facts.innerText(), `${issuer}/.well-known/openid-configuration`)
      t.equal(await page.locator('[name=redirectUris]').inputValue(), 'https://grafana.example.com/login/generic_oauth')

      await page.locator('[name=redirectUris]').fill('http://grafana.example.com/x')
      await view.button(own['save'])
      await page.locator('#redirectUris-fault').waitFor()
      await page.locator('[name=redirectUris]').fill('https://grafana.example.com/x\n\nhttps://grafana.example.com/y')
      await page.getByRole('checkbox', { name: 'Staff' }).check()
      await page.getByRole('checkbox', { name: own['factor'] }).check()
      await page.getByRole('checkbox', { name: own['scopeNames'].phone }).uncheck()
      await page.locator('[name=refreshTokens]').selectOption('offline')
      await view.button(own['save'])
      await says(page, own['saved'])
      t.match(await server.app.db.providerClients.find('grafana'), {
        redirectUris: ['https://grafana.example.com/x', 'https://grafana.example.com/y'],
        ...{
          access: { tenants: [], roles: ['staff'] },
          minAcr: 'aal2',
          refreshTokens: 'offline',
          homeUrl: 'https://grafana.example.com/',
        },
        scopes: ['openid', 'profile', 'email', 'groups', 'tenant'],
      })

      await page.locator('[name=username]').fill('nobody')
      await view.button(own['show'])
      await page.locator('#username-fault').getByText(own['noUser']).waitFor()
      await page.locator('[name=username]').fill('alice')
      await view.button(own['show'])
      await page.getByText(own['refusals'].role).waitFor()
      const preview = await page.locator('[role=status] .facts').innerText()
      t.match(preview, `preferred_username`)
      t.match(preview, own['omissions'].scope)
      t.match(preview, String(alice.id))

      await page.getByRole('button', { name: own['newSecret'] }).click()
      await dialog.locator('[name=overlap]').selectOption('7')
      await dialog.getByRole('button', { name: own['newSecret'] }).click()
      await dialog.getByText(own['madeHint']).waitFor()
      t.not(await dialog.locator('pre').innerText(), secret)
      await dialog.getByRole('button', { name: own['done'] }).click()
      await facts.getByText(own['oldUntil']('').slice(0, 5)).waitFor()

      await page.getByRole('button', { name: own['delete'] }).click()
      await dialog.getByRole('button', { name: own['delete'] }).click()
      await says(page, own['deleted']('Grafana'))
      await page.getByText(own['none']).waitFor()
      view.end()
    },
  )

  test(`an application gets services and a service account, in ${language}`, { skip }, async (t) => {
    const notes = 'https://notes.example.com/mcp'
    const provider = { resources: [{ id: notes, name: 'Notes', scopes: ['notes:read'] }] }
    const { server, addClient } = await startProvider(t, {
      name: 'localhost',
      settings: { provider: provider },
    })
    const { id } = await server.operator.addUser({ username: 'nightly', userType: 3, forcePasswordChange: false })
    await addClient()
    const own = await ownWords(language)
    const { page, ...view } = await openConsole(t, server, '/applications/grafana', {
      language,
      name: 'services',
      refusals: 2,
    })
    await page.locator('[name=resources]').fill('https://other.example.com')
    await view.button(own['save'])
    await page.locator('#resources-fault').getByText(notes).waitFor()
    await page.locator('[name=resources]').fill(notes)
    await page.locator('[name=redirectUris]').fill('')
    await view.button(own['save'])
    await page.locator('#redirectUris-fault').waitFor()
    await view.check({ title: 'Grafana', focus: 'redirectUris' })
    await page.locator('[name=serviceAccount]').selectOption('nightly')
    await view.button(own['save'])
    await says(page, own['saved'])
    const stored = () => server.app.db.providerClients.find('grafana')
    t.match(await stored(), { resources: [notes], serviceAccount: id, redirectUris: [] })
    t.equal(await page.locator('[name=serviceAccount]').inputValue(), String(id))
    await page.locator('[name=serviceAccount]').selectOption('')
    await page.locator('[name=redirectUris]').fill('https://grafana.example.com/x')
    await view.button(own['save'])
    await says(page, own['saved'])
    t.match(await stored(), { serviceAccount: null, redirectUris: ['https://grafana.example.com/x'] })
    view.end()
  })

  test(`an application that is not known is written down whole, in ${language}`, { skip }, async (t) => {
    const { server } = await startProvider(t, { name: 'localhost' })
    const { id: tenantId } = await server.operator.addTenant('Branch')
    const own = await ownWords(language)
    const { page, words, ...view } = await openConsole(t, server, '/applications/new', {
      language,
      name: 'application',
      refusals: 3,
    })
    await page.locator('[name=name]').fill('Board')
    await page.locator('[name=id]').fill('page')
    await page.locator('[name=redirectUris]').fill('https://board.example.com/back')
    await page.locator('[name=type]').selectOption('public')
    await page.locator('form .primary').click()
    await page.locator('#id-fault').waitFor()
    await page.locator('[name=id]').fill('board')
    await page.locator('form .primary').click()
    await says(page, own['added']('Board'))
    await view.check({ title: 'Board', focus: 'main' })
    t.equal(await page.locator('[name=pkce]').count(), 0, 'without a secret it speaks PKCE')
    t.equal(await page.getByRole('button', { name: own['newSecret'] }).count(), 0)
    await view.button(own['addTenant'])
    await page.getByRole('dialog').getByRole('button', { name: 'Branch' }).click()
    await page.getByRole('button', { name: own['removeTenant']('Branch') }).waitFor()
    await view.button(own['save'])
    await says(page, own['saved'])
    t.same((await server.app.db.providerClients.find('board'))?.access.tenants, [tenantId])
    await page.goto(`${view.origin}/console/applications/new`)
    await page.locator('[name=name]').fill('Board')
    await page.locator('[name=id]').fill('board')
    await page.locator('[name=redirectUris]').fill('https://board.example.com/back')
    await page.locator('form .primary').click()
    await page.locator('#id-fault').waitFor()
    await page.goto(`${view.origin}/console/applications/nobody`)
    await page.getByRole('heading', { name: (words as Record<string, any>).common.missing }).waitFor()
    view.end()
  })
}
