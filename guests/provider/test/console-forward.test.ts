import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { openConsole, says } from '../../../test/helpers/browser/account-page.js'
import { skip } from '../../../test/helpers/browser/browser.js'
import { languages } from '../../../test/helpers/browser/pages.js'
import { presetsOf } from '../clients/settings.js'
import { ownWords } from './console-words.js'
import { startProvider } from './start-provider.js'

const wikiHost = 'wiki.example.com'
const wiki = { ...presetsOf('forward'), id: 'wiki', name: 'Wiki', hosts: [wikiHost] }
const document = 'docs/protect-any-application.md'
/** Settings that only applications have that sign people in by OpenID Connect. */
const ofOpenId =
  '[name=redirectUris], [name=consent], [name^=scope-], [name=unverifiedEmail], [name=postLogoutRedirectUris], [name=backchannelLogoutUri], [name=resources], [name=serviceAccount], [name=refreshTokens], [name=minimalIdToken], [name=pkce]'

for (const language of languages) {
  test(`a system administrator adds an application behind a proxy, in ${language}`, { skip }, async (t) => {
    const { server, issuer, alice } = await startProvider(t, { name: 'localhost' })
    const own = await ownWords(language)
    const { page, ...view } = await openConsole(t, server, '/applications/new', {
      language,
      name: 'forward-new',
      refusals: 2,
    })
    await page.locator('[name=name]').fill('Wiki')
    await page.locator('[name=id]').fill('wiki')
    await page.locator('[name=redirectUris]').fill('https://wiki.example.com/back')
    await page.locator('[name=type]').selectOption({ label: own['types'].forward })
    await page.locator('[name=redirectUris]').waitFor({ state: 'detached' })
    t.equal(await page.locator('[name=hosts]').inputValue(), '', 'an address is no host')
    await page.locator('form .primary').click()
    await page.locator('#hosts-fault').waitFor()
    await page.locator('[name=hosts]').fill('wiki.example.com\nhttp://wiki.lan')
    await page.locator('form .primary').click()
    await page.locator('#hosts-fault').getByText('http://localhost:8080').waitFor()
    await view.check({ title: own['add'], focus: 'hosts' })
    await page.locator('[name=hosts]').fill('Wiki.example.com\n\n notes.example.com ')
    await page.locator('form .primary').click()
    await says(page, own['added']('Wiki'))
    t.equal(await page.getByRole('dialog').count(), 0, 'there is no secret to show')
    await view.check({ title: 'Wiki', focus: 'main' })
    t.match(await server.app.db.providerClients.find('wiki'), {
      type: 'forward',
      hosts: ['wiki.example.com', 'notes.example.com'],
      secretHash: null,
      redirectUris: [],
    })

    const facts = await page.locator('.facts').innerText()
    for (const text of ['wiki.example.com', 'notes.example.com', own['types'].forward]) t.match(facts, text)
    t.notMatch(await page.content(), `${issuer}/.well-known/openid-configuration`)
    await page.getByText(document).waitFor()
    t.equal(await page.locator(ofOpenId).count(), 0)

    await page.locator('[name=username]').fill('alice')
    await view.button(own['show'])
    const headers = page.locator('[role=status] .facts')
    await headers.waitFor()
    t.match(await headers.innerText(), /Remote-User\s+alice\s/)
    t.match(await headers.innerText(), new RegExp(`X-User-Id\\s+${alice.id}\\b`))
    t.match(await headers.innerText(), new RegExp(`Remote-Email\\s+${own['omissions'].absent}`))
    t.notMatch(await headers.innerText(), 'phone_number')
    await view.check({ title: 'Wiki', focus: 'button' })

    await page.goto(`${view.origin}/console/applications`)
    await page.getByRole('cell', { name: own['types'].forward }).waitFor()
    view.end()
  })

  test(`the settings of an application behind a proxy are changed, in ${language}`, { skip }, async (t) => {
    const { server, addClient } = await startProvider(t, { name: 'localhost' })
    await addClient(wiki)
    await server.operator.addRole('staff', 'Staff', [])
    const own = await ownWords(language)
    const { page, ...view } = await openConsole(t, server, '/applications/wiki', {
      language,
      name: 'forward',
      refusals: 3,
    })
    const stored = () => server.app.db.providerClients.find('wiki')
    const fill = (name: string, text: string) => page.locator(`[name=${name}]`).fill(text)
    const save = () => view.button(own['save'])

    await fill('pathRoles', '/admin: boss\n/staff')
    await save()
    await page.locator('#pathRoles-fault').getByText(own['pathRolesFault']('/staff')).waitFor()
    await view.check({ title: 'Wiki', focus: 'pathRoles' })
    await fill('pathRoles', 'admin: boss')
    await save()
    await page.locator('#pathRoles-fault').getByText('/public').waitFor()
    await fill('pathRoles', '/admin: boss, staff,boss\n/a:b: staff\n/c：staff，boss\n/d:staff')
    await fill('openPaths', '/public\npublic')
    await save()
    await page.locator('#openPaths-fault').getByText('/public').waitFor()
    await fill('openPaths', '/public\n/feed')
    await fill('hosts', `${wikiHost}\nhttp://wiki.lan`)
    await save()
    await page.locator('#hosts-fault').waitFor()
    await fill('hosts', `${wikiHost}\nhttp://localhost:8080`)
    await page.getByRole('checkbox', { name: 'Staff' }).check()
    await page.getByRole('checkbox', { name: own['factor'] }).check()
    await page.locator('[name=maxAge]').selectOption('900')
    await save()
    await says(page, own['saved'])
    const changed = {
      hosts: [wikiHost, 'http://localhost:8080'],
      openPaths: ['/public', '/feed'],
      pathRoles: [
        { path: '/admin', roles: ['boss', 'staff'] },
        { path: '/a:b', roles: ['staff'] },
        { path: '/c', roles: ['staff', 'boss'] },
        { path: '/d', roles: ['staff'] },
      ],
      maxAge: 900,
      minAcr: 'aal2',
      access: { tenants: [], roles: ['staff'] },
    }
    t.match(await stored(), changed)
    await view.check({ title: 'Wiki', focus: 'p' })

    const comma = { path: '/comma', roles: ['one, two'] }
    await server.app.applications.change(operatorActor(), 'wiki', { maxAge: 5450, pathRoles: [comma] })
    await page.reload()
    await page.locator('[name=maxAge]').waitFor()
    t.match(await page.locator('[name=maxAge] option:checked').innerText(), /^5,450\s/, 'seconds are not rounded')
    await fill('pathRoles', `${await page.locator('[name=pathRoles]').inputValue()}\n/more: staff`)
    await save()
    await says(page, own['saved'])
    t.match(await stored(), { ...changed, maxAge: 5450, pathRoles: [comma, { path: '/more', roles: ['staff'] }] })
    await page.locator('[name=maxAge]').selectOption('')
    await fill('pathRoles', '')
    await save()
    await says(page, own['saved'])
    t.match(await stored(), { ...changed, maxAge: null, pathRoles: [] })
    view.end()
  })

  test(`an administrator of one tenant changes all but the hosts, in ${language}`, { skip }, async (t) => {
    const { server, addClient } = await startProvider(t, { name: 'localhost' })
    await addClient(wiki)
    const permissions = ['list', 'add', 'edit'].map((word) => `system:client:${word}`)
    await server.operator.addRole('keeper', 'Keeper', permissions)
    await server.addUser('carol', { userType: 1, roles: ['keeper'] })
    const own = await ownWords(language)
    const opening = { language, name: 'forward-tenant', username: 'carol' }
    const { page, ...view } = await openConsole(t, server, '/applications/new', opening)
    await page.locator('[name=type]').waitFor()
    t.same(
      await page.locator('[name=type] option').evaluateAll((all: any[]) => all.map(({ value }) => value as string)),
      ['confidential', 'public', 'native'],
    )
    await page.goto(`${view.origin}/console/applications/wiki`)
    await page.locator('[name=openPaths]').fill('/public')
    await view.check({ title: 'Wiki', focus: 'openPaths' })
    t.equal(await page.locator('[name=hosts]').count(), 0)
    t.match(await page.locator('.facts').innerText(), wikiHost)
    await view.button(own['save'])
    await says(page, own['saved'])
    t.match(await server.app.db.providerClients.find('wiki'), { hosts: [wikiHost], openPaths: ['/public'] })
    view.end()
  })
}
