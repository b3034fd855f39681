import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { fillSignIn } from '../helpers/browser/pages.js'
import { freePort } from '../helpers/processes/free-port.js'
import { temporary } from '../helpers/processes/package.js'
import { askSecurely } from '../helpers/processes/deployed.js'
import { eventually } from '../helpers/processes/process.js'
import { proxies } from '../helpers/processes/proxies.js'
import { ownPage } from '../helpers/service/page-browser.js'
import { startServer, userPassword, type TestServer } from '../helpers/service/server.js'

const { variable, run } = proxies['nginx'] ?? { variable: '' }
const program = process.env[variable]
const whyNot = program ? false : `set ${variable} to the path of nginx to run this test`

/** The service behind TLS at `auth.example.com`, and a page of an attacker at `blog.example.com`, in Chromium. */
const start = async (t: Test) => {
  const server = await startServer(t, { environment: { TRUST_PROXY: '127.0.0.1' } })
  for (const name of ['alice', 'mallory']) await server.addUser(name)
  const port = await freePort()
  const { certificate = '' } = run?.(t, program ?? '', { port, origin: server.origin, directory: temporary(t) }) ?? {}
  const live = () => askSecurely(port, { method: 'GET', path: '/health/live', certificate }).catch(() => undefined)
  await eventually('nginx to answer', live)
  const { page } = await openBrowser(t, [
    '--host-resolver-rules=MAP *.example.com 127.0.0.1',
    '--ignore-certificate-errors',
  ])
  const blog = 'https://blog.example.com/'
  await page.route(`${blog}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A blog</p>' }))
  return { server, page, blog, origin: `https://auth.example.com:${port}` }
}

/** The page cookie of the attacker, as `value` by its name without prefix. */
const cookieOfMallory = async (server: TestServer): Promise<[name: string, value: string]> => {
  const json = { username: 'mallory', password: userPassword, cookie: true }
  const headers = { ...ownPage, 'x-forwarded-proto': 'https' }
  const answer = await server.call('POST', '/auth/login', { json, headers })
  const line = answer.headers.getSetCookie().find((one) => one.includes('rollcall_page_')) ?? ''
  const [, name = '', value = ''] = /(rollcall_page_[\w-]+)=([\w-]+)/.exec(line) ?? []
  return [name, value]
}

/** What a page of a sibling domain can do to the cookies of ours. */
const plant = (page: Page, [name, value]: [string, string]) =>
  page.evaluate(
    ({ name, value }) => {
      for (const path of ['/auth', '/auth/refreshToken', '/'])
        for (const prefix of [
          '',
          '__Host-',
          '__host-',
          '__Secure-',
          '\u2000__Host-',
          '\u00a0__Host-',
          '=__Host-',
          ' =__Host-',
        ]) {
          const { document } = globalThis as any
          document.cookie = `${prefix}${name}=${value}; domain=example.com; path=${path}; secure`
        }
    },
    { name, value },
  )

/** Whose account the page shows. */
const shown = async (page: Page): Promise<string[]> => {
  await page.locator('.side').waitFor()
  const values = await page.evaluate<string[]>('[...document.querySelectorAll("input")].map(({ value }) => value)')
  return [...new Set(values.filter((value) => ['alice', 'mallory'].includes(value)))]
}

test(
  'a page of a sibling domain that plants a page cookie shows nobody the account of somebody else',
  { skip: skip || whyNot },
  async (t) => {
    const { server, page, blog, origin } = await start(t)
    const planted = await cookieOfMallory(server)

    await page.goto(blog)
    await plant(page, planted)
    const atTheService = (await page.context().cookies(`${origin}/auth/refreshToken`)).map(({ name }) => name)
    t.ok(atTheService.includes(planted[0]), 'the browser sends what was planted')
    t.notOk(atTheService.includes(`__Host-${planted[0]}`), 'and takes no name of the host from there')
    await page.goto(`${origin}/account`)
    await page.locator('[name=username]').waitFor()
    t.notMatch(await page.content(), /mallory/)

    await fillSignIn(page, 'alice', userPassword)
    await page.waitForURL(`${origin}/account`)
    await page.locator('.side').waitFor()
    await page.goto(blog)
    await plant(page, planted)
    await page.goto(`${origin}/account`)
    t.strictSame(await shown(page), ['alice'])
  },
)

test(
  'a form of a sibling domain signs no page out, and its window is cut off from the page',
  { skip: skip || whyNot },
  async (t) => {
    const { page, blog, origin } = await start(t)
    await page.goto(`${origin}/sign-in`)
    await page.locator('[name=username]').waitFor()
    await fillSignIn(page, 'alice', userPassword)
    await page.waitForURL(`${origin}/account`)
    await page.locator('.side').waitFor()
    for (const path of ['auth/refreshToken', 'auth/logout']) {
      await page.goto(blog)
      await page.evaluate((action) => {
        const { document } = globalThis as any
        document.body.innerHTML = `<form method="post" action="${action}"></form>`
        document.forms[0].submit()
      }, `${origin}/${path}`)
      await page.waitForURL(`${origin}/${path}`)
      await page.goto(`${origin}/account`)
      t.strictSame(await shown(page), ['alice'], path)
    }
    // The sign-in leads somebody who is signed in on to the account: only the page that stays is asked.
    const stays = [
      ['account', 'account', '.side'],
      ['sign-in', 'account', '.side'],
      ['docs/', 'docs/', '.swagger-ui .info'],
    ] as const
    for (const [path, end, part] of stays) {
      await page.goto(blog)
      const opened = page.waitForEvent('popup')
      await page.evaluate((address) => {
        const window = globalThis as any
        window.opened = window.open(address)
      }, `${origin}/${path}`)
      const other = await opened
      await other.waitForURL(`${origin}/${end}`)
      await other.locator(part).waitFor()
      t.equal(await other.evaluate('window.opener'), null, path)
      t.equal(await page.evaluate('opened.closed'), true, 'nor has the other page a hold of it')
      await other.close()
    }
  },
)
