import { test } from 'tap'
import { loseCookies, startSession } from '../helpers/browser/account-page.js'
import { skip } from '../helpers/browser/browser.js'
import { openPage, startSignIn } from '../helpers/browser/pages.js'
import { enrol } from '../helpers/service/factors.js'
import { pageOrigin } from '../helpers/service/passkeys.js'
import { adminPassword, startServer, userPassword } from '../helpers/service/server.js'

/** Where a sign-in goes on; null means to the end of the sign-in page. */
const rows: [next: string, to: string | null][] = [
  ['/health/live?a=b#c', '/health/live?a=b#c'],
  ['/health/live#//evil.example', '/health/live#//evil.example'],
  ['/..//evil.example/#/health/live', null],
  ['/health/live#\\\\evil.example', null],
  ['//evil.example/', null],
  ['/\\evil.example/', null],
  ['\\evil.example', null],
  ['\\\\evil.example', null],
  ['/\t/evil.example', null],
  ['/\n/evil.example', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['https://evil.example/', null],
  ['http:evil.example', null],
  // What remains of these paths begins with two slashes.
  ['/..//evil.example/x', null],
  ['/.//evil.example/', null],
  ['/./..///evil.example/', null],
  ['/%2e%2e//evil.example/', null],
  ['/%2E//evil.example/', null],
  ['/.%2e//evil.example/', null],
  ['/account/../..//evil.example/', null],
  ['/a/b/%2e%2e/..//evil.example/?x#y', null],
  ['/../..//user@evil.example:80/', null],
  ['/..//', null],
  // These stay here, whatever they look like.
  ['/health/../health/live', '/health/live'],
  ['/health/live?to=//evil.example', '/health/live?to=//evil.example'],
  ['/%2f%2fevil.example/', '/%2f%2fevil.example/'],
  ['/@evil.example', '/@evil.example'],
  ['evil', null],
  ['@evil.example', null],
  [`/${'a'.repeat(10_000)}`, null],
  ['', null],
]

test('after the sign-in follows a path of this origin, and nothing else', { skip }, async (t) => {
  const server = await startSignIn(t)
  // Who may administer would go on to the console where no path is asked for.
  await server.addUser('alice')
  const { page, words, origin, ...view } = await openPage(t, server, '/sign-in', { name: 'next' })
  for (const [next, to] of rows) {
    // Who is signed in already would not be asked.
    await loseCookies(page)
    await page.goto(`${origin}/sign-in?next=${encodeURIComponent(next)}`)
    await view.signIn('alice', userPassword)
    if (to === null) await view.heading(words['doneHeading'])
    else await page.waitForURL(origin + to)
    t.equal(new URL(page.url()).origin, origin, next.slice(0, 40))
  }
  t.strictSame(
    [...view.hosts].filter((host) => host !== '' && host !== new URL(origin).host),
    [],
  )
})

test('who is signed in already goes on and sees no form', { skip }, async (t) => {
  const server = await startSignIn(t)
  const seen = new Set<string>()
  const { page, words, origin, ...view } = await openPage(t, server, '/sign-in/forgot', {
    name: 'resumed',
    prepare: async (page) => {
      await startSession(page, pageOrigin(server), 'admin', adminPassword)
      await page.exposeFunction('note', (what: string) => seen.add(what))
      await page.addInitScript(`
        const look = () => {
          if (location.pathname !== '/sign-in') return
          const heading = document.querySelector('footer') && document.querySelector('h1')
          if (heading) note(heading.textContent)
          if (document.querySelector('form')) note('a form')
        }
        new MutationObserver(look).observe(document, { childList: true, subtree: true })
      `)
    },
  })
  await page.evaluate(`location.assign('/sign-in?next=/health/live')`)
  await page.waitForURL(`${origin}/health/live`)
  t.strictSame([...seen], [words['signingIn']])
  view.end()
})

test(
  'the way back after a sign-in leads to the page before it, and the part of the address stays',
  { skip },
  async (t) => {
    const server = await startServer(t)
    await server.addUser('alice')
    const { accessToken } = await server.signIn('alice')
    const app = await enrol(t, server, accessToken)
    const { page, origin, words, ...view } = await openPage(t, server, '/sign-in/forgot', {
      name: 'way-back',
      refusals: 1,
    })
    const rows: [username: string, password: string, from: string, to: string][] = [
      ['admin', adminPassword, '/sign-in', '/console'],
      ['admin', adminPassword, '/account/security?x=1#part', '/account/security?x=1#part'],
      ['alice', userPassword, '/account/sessions#%2F%2Fevil.example', '/account/sessions#%2F%2Fevil.example'],
    ]
    for (const [username, password, from, to] of rows) {
      await loseCookies(page)
      await page.goto(`${origin}/health/live`)
      await page.goto(origin + from)
      await page.locator('[name=username]').waitFor()
      await view.signIn(username, password)
      if (username === 'alice') {
        await view.heading(words['factorHeading'])
        await view.send({ code: app.nextCode() })
      }
      await page.waitForURL(origin + to)
      await page.locator('.side').waitFor()
      await page.goBack()
      t.equal(page.url(), `${origin}/health/live`, from)
    }
    view.end()
  },
)

test('a tenant, a way on and a language stay in the address from page to page', { skip }, async (t) => {
  const server = await startServer(t, { settings: { registration: { mode: 'open' }, sms: { sender: 'log' } } })
  const { page, origin, ...view } = await openPage(t, server, '/sign-in?tenant=1&next=/docs/&lang=zh-Hans', {
    name: 'kept',
  })
  t.equal(await page.locator('html').getAttribute('lang'), 'zh-CN', 'by the first part of the tag')
  await page.getByRole('link', { name: '注册', exact: true }).click()
  await page.getByRole('heading', { name: '创建账号' }).waitFor()
  t.equal(page.url(), `${origin}/sign-in/register?tenant=1&next=%2Fdocs%2F&lang=zh-Hans`)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  t.equal(new URL(page.url()).searchParams.get('lang'), 'en')
  await page.goto(`${origin}/sign-in`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  view.end()
})

for (const [tenant, refusals] of [
  ['7', 1],
  ['x', 0],
  ['-1', 0],
  ['999999999999999999', 0],
] as const) {
  test(`?tenant=${tenant} opens a page that says what is wrong, or that of the default tenant`, { skip }, async (t) => {
    const server = await startServer(t)
    const name = `tenant-${tenant}`
    const { page, words, ...view } = await openPage(t, server, `/sign-in?tenant=${tenant}`, { name, refusals })
    if (refusals === 1) {
      t.match(await page.getByRole('alert').innerText(), words['unknownTenant'])
      await view.check({ title: words['notSignedIn'], focus: 'h1' })
    } else await view.heading(words['signIn'])
    view.end()
  })
}
