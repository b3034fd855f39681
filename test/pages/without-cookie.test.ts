import type { Page } from 'playwright-core'
import { test, type Test } from 'tap'
import { kick, signInAgain, stored } from '../helpers/browser/account-page.js'
import { skip as noBrowser } from '../helpers/browser/browser.js'
import { type Language, languages, openPage, sentencesIn, wordsOf } from '../helpers/browser/pages.js'
import { send } from '../helpers/browser/swagger-ui.js'
import { runNginx } from '../helpers/processes/deployed.js'
import { freePort } from '../helpers/processes/free-port.js'
import { temporary } from '../helpers/processes/package.js'
import { eventually } from '../helpers/processes/process.js'
import { adminPassword, startServer, userPassword } from '../helpers/service/server.js'

const nginx = process.env['ROLLCALL_TEST_NGINX']
const skip = noBrowser || (nginx ? false : 'set ROLLCALL_TEST_NGINX to the path of nginx to run this test')

interface Situation {
  obstacle: 'address' | 'encryption' | 'cookie'
  name: string
  /** What nginx does beside passing requests on, by plain http. */
  rules: string
  /** What the log says about it. */
  told: RegExp
}
const situations: Situation[] = [
  {
    obstacle: 'address',
    name: 'behind nginx with its own Host',
    rules: '',
    told: /Pages of http:\/\/lan\.example:\d+ are taken for those of another origin, because the service is asked as 127\.0\.0\.1:\d+\. .*set publicUrl to it/,
  },
  {
    obstacle: 'encryption',
    name: 'with an X-Forwarded-Proto that is not true',
    rules: 'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto https;',
    told: /A page at http:\/\/lan\.example:\d+ cannot keep its session: the service takes it for an encrypted one .*X-Forwarded-Proto that is true, and set publicUrl/,
  },
  {
    obstacle: 'cookie',
    name: 'where no cookie comes back',
    rules: "proxy_set_header Host $http_host; proxy_set_header Cookie '';",
    told: /A page at http:\/\/lan\.example:\d+ cannot keep its session: no cookie comes back\. .*set publicUrl/,
  },
]

const flags = ['--host-resolver-rules=MAP lan.example 127.0.0.1']

/** The service behind nginx by plain http, at a name that is not `localhost`. */
const start = async (t: Test, { rules }: Situation, isNamed = false) => {
  const port = await freePort()
  const host = `http://lan.example:${port}`
  const settings = isNamed ? { publicUrl: host } : {}
  const server = await startServer(t, { settings, environment: { TRUST_PROXY: '127.0.0.1' } })
  const proxied = `proxy_pass ${server.origin}; proxy_set_header X-Forwarded-For $remote_addr; ${rules}`
  runNginx(t, nginx ?? '', temporary(t), `server { listen 127.0.0.1:${port}; location / { ${proxied} } }`)
  await eventually('nginx to answer', () => fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined))
  return { server, host }
}

const inStorage = (page: Page) => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')

/** Opens the sign-in page; at the end no address has had a token in it. */
const open = async (t: Test, situation: Situation, path: string, language: Language = 'en', isNamed = false) => {
  const { server, host } = await start(t, situation, isNamed)
  const view = await openPage(t, server, path, { language, name: `without-${situation.obstacle}`, host, flags })
  const addresses: string[] = []
  view.page.on('request', (request) => addresses.push(request.url()))
  const frame = (await wordsOf(language)).frame
  const end = async () => {
    // By plain http the browser says that it does not know this protection there.
    const others = view.complaints.filter(
      (text) => !text.startsWith('The Cross-Origin-Opener-Policy header has been ignored'),
    )
    view.complaints.splice(0, Infinity, ...others)
    t.notMatch(await inStorage(view.page), /eyJ/, 'no token in the storage')
    t.notMatch(addresses.join('\n'), /eyJ/, 'no token in an address')
    view.end()
  }
  return { ...view, server, host, frame, reason: String(frame['tabOnly'][situation.obstacle](host)), end }
}

for (const language of languages)
  for (const situation of situations)
    test(`${situation.name} a sign-in goes on in its tab, and says why, in ${language}`, { skip }, async (t) => {
      const { page, host, server, frame, reason, ...view } = await open(t, situation, '/sign-in', language)
      const [account, all] = [await wordsOf(language, 'account'), await wordsOf(language, 'console')]
      await view.signIn('admin', adminPassword)
      await view.heading(all['overview'].title)
      t.equal(page.url(), `${host}/console`)
      const notice = page.locator('main .notice.warn')
      t.equal(await notice.innerText(), sentencesIn(language, frame['onlyHere'], reason))
      t.match(reason, 'publicUrl')
      t.notMatch(await inStorage(page), /eyJ|signed-in/, 'the token has been taken out')
      await view.check({ title: all['overview'].title, focus: 'body' })

      await view.link(all['common'].account)
      await view.heading(account['profile'])
      t.match(await notice.innerText(), reason)
      await view.link(account['console'])
      await view.heading(all['overview'].title)
      t.match(await notice.innerText(), reason)
      t.notMatch(await inStorage(page), /eyJ/)
      await view.link(all['users'].title)
      await view.button(all['users'].export)
      const begun = page.waitForEvent('download')
      await view.button(all['users'].download)
      t.match((await begun).suggestedFilename(), /\.csv$/, 'downloads need no cookie')

      await page.reload()
      await page.locator('[name=username]').waitFor()
      t.equal(new URL(page.url()).searchParams.get('next'), '/console/users')
      t.equal(await notice.first().innerText(), sentencesIn(language, frame['onlyHere'], reason))
      await view.signIn('admin', adminPassword)
      await page.waitForURL(`${host}/console/users`)
      await view.button(frame['signOut'])
      await page.locator('[name=username]').waitFor()
      t.equal(await notice.filter({ hasText: reason }).count(), 0, 'who has signed out is told nothing')
      const lines = server
        .log()
        .split('\n')
        .filter((line) => situation.told.test(line))
      t.equal(lines.length, 1, 'the log says it once')
      t.notMatch(server.log(), /may not use this service/, 'and nothing of front ends alone')
      await view.end()
    })

for (const situation of situations.filter(({ obstacle }) => obstacle !== 'cookie'))
  test(`${situation.name} the sign-in outlasts a reload once publicUrl is set`, { skip }, async (t) => {
    const { page, host, server, ...view } = await open(t, situation, '/sign-in', 'en', true)
    const all = await wordsOf('en', 'console')
    await view.signIn('admin', adminPassword)
    await view.heading(all['overview'].title)
    await page.reload()
    await view.heading(all['overview'].title)
    t.equal(page.url(), `${host}/console`)
    t.equal(await page.locator('.notice').count(), 0)
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.startsWith('rollcall_page_'))
    t.match(cookie, { httpOnly: true, sameSite: 'Lax', secure: false })
    t.notMatch(server.log(), /publicUrl to/)
    await view.end()
  })

test(
  'a session that ends in a tab is asked for in a window, which gives the token to this page',
  { skip },
  async (t) => {
    const [, , situation] = situations as [Situation, Situation, Situation]
    const { page, server, complaints, ...view } = await open(t, situation, '/sign-in')
    await server.addUser('alice')
    const account = await wordsOf('en', 'account')
    await view.signIn('alice', userPassword)
    await view.heading(account['profile'])
    await page.locator('[name=realName]').fill('Alice Liddell')
    await kick(server, 'alice')
    await view.button(account['save'])
    await signInAgain(page, 'alice')
    await page.locator('.notice.good').waitFor()
    t.equal((await stored(server, 'alice')).realName, 'Alice Liddell')
    t.notMatch(await inStorage(page), /eyJ/)
    t.strictSame(
      complaints.filter((text) => !/401|Cross-Origin-Opener-Policy/.test(text)),
      [],
    )
    t.equal(complaints.filter((text) => text.includes('401')).length, 1, 'the session that had ended is refused once')
  },
)

test(
  'what is no page of ours gets no token, and the sign-in page says that it will know nobody',
  { skip },
  async (t) => {
    const [situation] = situations as [Situation]
    const { page, words, reason, host, ...view } = await open(t, situation, '/sign-in?next=/health/live')
    await view.signIn('admin', adminPassword)
    await view.heading(words['doneHeading'])
    t.equal(await page.locator('.notice.warn').innerText(), reason)
    await view.check({ title: words['doneTitle'], focus: 'h1' })
    t.equal(await inStorage(page), '[{},{}]')
    await view.link(words.frame['continue'])
    await page.waitForURL(`${host}/health/live`)
    await view.end()
  },
)

/** As a browser that is told to block all cookies: it refuses both storages, too. */
const refuseStorage = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })

for (const language of languages)
  test(
    `where the browser keeps nothing at all, the sign-in says that it ends there, and offers no way on, in ${language}`,
    { skip },
    async (t) => {
      const [, , situation] = situations as [Situation, Situation, Situation]
      const { server, host } = await start(t, situation)
      const { page, ...view } = await openPage(t, server, `/sign-in?lang=${language}`, {
        // The choice of the address is another language than that of the browser.
        language: language === 'en' ? 'zh' : 'en',
        name: 'without-storage',
        host,
        flags,
        prepare: refuseStorage,
      })
      const chosen = await wordsOf(language)
      await view.signIn('admin', adminPassword)
      await view.heading(chosen['doneHeading'])
      const reason = String(chosen.frame['tabOnly'].cookie(host))
      const told = sentencesIn(language, chosen['endsHere'], reason)
      t.equal(await page.locator('.notice.warn').innerText(), told)
      t.equal(await page.getByRole('link', { name: chosen.frame['continue'] }).count(), 0)
      await page.goto(`${host}/account?lang=${language}`)
      await page.locator('[name=username]').waitFor()
      await view.heading(chosen['signIn'])
    },
  )

test(
  '/docs takes the token of its own sign-in, and says after a reload why nobody is signed in',
  { skip },
  async (t) => {
    const [situation] = situations as [Situation]
    const { page, ...view } = await open(t, situation, '/sign-in?next=/docs/')
    page.setDefaultTimeout(60_000)
    await view.signIn('admin', adminPassword)
    await page.locator('.btn.authorize.locked').waitFor()
    t.notMatch(await inStorage(page), /eyJ/)
    t.match(await page.locator('.notice.warn').innerText(), /in this tab only.*publicUrl/)
    t.equal((await send(page, 'getUserPage')).status, '200')
    await page.reload()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    t.match(await page.locator('.notice.warn').innerText(), /has signed you out.*publicUrl/)
    await view.end()
  },
)
