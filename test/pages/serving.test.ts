import { request } from 'node:http'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { test } from 'tap'
import rollcall, { openInstallation } from '../../app.js'
import { emptyDirectory } from '../helpers/processes/child.js'
import { expectProblem } from '../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../helpers/service/server.js'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  server.call('GET', path, { headers: { ...html, ...headers } })

/** The addresses of scripts and styles in a document, as they are written. */
const assetsIn = (text: string): string[] =>
  [...text.matchAll(/(?:src|href)="([^"]*pages\/[^"]+)"/g)].map(([, path = '']) => path)

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types rollcall"

/** The address and how far it is above the scripts. */
const documents: [path: string, base: string][] = [
  ['/sign-in', './'],
  ['/sign-in?tenant=1&next=/a/b/c', './'],
  ['/sign-in/forgot', '../'],
  ['/sign-in/register', '../'],
  ['/sign-in/invited', '../'],
  ['/sign-in/return/github', '../../'],
  ['/sign-in//forgot', '../../'],
  ['/account', './'],
  ['/account/security', '../'],
  ['/account/nothing/here?x=1', '../../'],
  ['/console', './'],
  ['/console/users?page=2', '../'],
  ['/console/users/7/sessions', '../../../'],
]

for (const [path, base] of documents) {
  test(`GET ${path} is a document that links its scripts from ${base}`, async (t) => {
    const server = await startServer(t)
    const { status, headers, text } = await open(server, path)
    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    t.equal(headers.get('content-security-policy'), policy)
    t.equal(headers.get('cache-control'), 'no-store')
    t.equal(headers.get('vary'), 'Accept, Accept-Language, Cookie')
    t.equal(headers.get('referrer-policy'), 'no-referrer')
    t.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    t.notMatch(text, /<style|style=|<script>|onload/, 'nothing inline')
    t.notMatch(text, /https?:/, 'nothing from elsewhere')
    const assets = assetsIn(text)
    // Style, script, the words, and what they share.
    t.ok(assets.length >= 4, assets.join())
    for (const asset of assets) {
      t.ok(asset.startsWith(`${base}pages/`), asset)
      t.equal((await fetch(new URL(asset, server.origin + (path.split('?')[0] ?? '')))).status, 200, asset)
    }
    expectProblem(t, await server.call('GET', path, { headers: { accept: 'application/json' } }), 'not_found')
    const anything = await server.call('GET', path)
    t.equal(anything.status, 200, 'who names nothing gets what people get')
    t.equal(anything.text, text)
    const head = await server.call('HEAD', path)
    t.equal(head.status, 200)
    t.equal(head.headers.get('content-type'), 'text/html; charset=utf-8')
    t.equal(head.text, '')
    const post = await server.call('POST', path, { headers: html })
    expectProblem(t, post, 'method_not_allowed')
    t.match(post.headers.get('allow'), 'GET')
  })
}

const slashes: [path: string, location: string][] = [
  ['/sign-in/', '../sign-in'],
  ['/sign-in/?next=/a', '../sign-in?next=/a'],
  ['/sign-in/forgot/', '../forgot'],
  ['/sign-in/return/github/', '../github'],
  ['/account/', '../account'],
  ['/account/security/?x=1', '../security?x=1'],
  ['/console/', '../console'],
  ['/console/users/?page=2', '../users?page=2'],
]
for (const [path, location] of slashes) {
  test(`GET ${path} leads to ${location}`, async (t) => {
    const server = await startServer(t)
    const answer = await open(server, path)
    t.equal(answer.status, 302)
    t.equal(answer.headers.get('location'), location)
    t.equal((await fetch(new URL(location, server.origin + path), { headers: html })).status, 200)
    expectProblem(t, await server.call('GET', path, { headers: { accept: 'application/json' } }), 'not_found')
  })
}

test('scripts and styles may be kept forever, and come compressed as the browser asks', async (t) => {
  const server = await startServer(t)
  const assets = assetsIn((await open(server, '/sign-in')).text).map((path) => path.slice(1))
  for (const path of assets) {
    for (const [asked, got] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers, text } = await open(server, path, { 'accept-encoding': asked })
      t.equal(status, 200)
      t.equal(headers.get('content-encoding'), got, `${path} ${asked}`)
      t.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      t.match(headers.get('vary'), /Accept-Encoding/i)
      t.match(headers.get('content-type'), path.endsWith('.css') ? 'text/css' : /javascript/)
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.ok(text.length > 100)
    }
  }
  const head = await server.call('HEAD', assets[0] ?? '')
  t.equal(head.status, 200)
  t.equal(head.text, '')
})

/** `fetch` would tidy the path. */
const rawStatus = (server: TestServer, method: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(`${server.origin}/`, { method, path, headers: html }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })

const unknown = [
  '/pages/../config.json',
  '/pages/..%2fconfig.json',
  '/pages/%2e%2e/config.json',
  '/pages/..%5cconfig.json',
  '/pages/%2e%2e%2f%2e%2e%2fpackage.json',
  '/pages/pages.json',
  '/pages/.env',
  '/pages/',
  '/pages/nothing-12345678.js',
  '/pages/nothing-12345678.js.br',
  '/pages/%00.js',
  '/pages/%zz.js',
  '/pages/sub/nothing.js',
  '/sign-in/nothing',
  '/sign-in/return',
  '/sign-in/return/a/b',
  '/consoles',
  '/accounts',
]
test('unknown addresses below the pages are 404, however they are written', async (t) => {
  const server = await startServer(t)
  for (const path of unknown) {
    const status = await rawStatus(server, 'GET', path)
    t.ok(status === 404 || (path.includes('%zz') && status === 400), `${path}: ${status}`)
  }
  expectProblem(t, await open(server, '/pages/nothing-12345678.js'), 'not_found')
  const script = assetsIn((await open(server, '/sign-in')).text)[0]?.slice(1) ?? ''
  expectProblem(t, await server.call('POST', script), 'method_not_allowed')
})

/** Addresses that a person mistypes, and the sign-in page from there. */
const mistyped: [path: string, link: string][] = [
  ['/login', './sign-in'],
  ['/Sign-in', './sign-in'],
  ['/acount?x=1', './sign-in'],
  ['/sign-in/invit', '../sign-in'],
  ['/sign-in/nothing/here/', '../../../sign-in'],
  ['/authors', './sign-in'],
]
for (const [path, link] of mistyped)
  test(`whoever opens ${path} is told that there is no such page, and everybody else gets the envelope`, async (t) => {
    const server = await startServer(t)
    for (const [language, text] of [
      ['en', 'There is no such page'],
      ['zh-CN', '没有这个页面'],
    ] as const) {
      const answer = await open(server, path, { 'accept-language': language })
      t.equal(answer.status, 404)
      t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      t.equal(answer.headers.get('content-security-policy'), policy)
      t.equal(answer.headers.get('cache-control'), 'no-store')
      t.equal(answer.headers.get('vary'), 'Accept, Accept-Language, Cookie')
      t.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      t.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin')
      t.same(answer.headers.getSetCookie(), [])
      t.match(answer.text, `<html lang="${language}">`)
      t.match(answer.text, `<h1>${text}</h1>`)
      t.match(answer.text, `<a href="${link}">`)
      t.notMatch(answer.text, /<script|<style|style=|\?x|invit/, 'no script, no style, and nothing of the address')
      t.ok(answer.text.length < 600)
    }
    t.equal((await fetch(new URL(link, server.origin + path), { headers: html })).status, 200)
    const head = await server.call('HEAD', path, { headers: html })
    t.equal(head.status, 404)
    t.equal(head.text, '')
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/plain, */*',
      'application/json, text/html',
      'text/html;q=0.5, application/json',
      'text/html;q=0, */*',
      'image/avif,image/webp,*/*;q=0.8',
      'text/*',
      'text/html, '.repeat(100),
      '',
    ])
      expectProblem(t, await server.call('GET', path, { headers: { accept } }), 'not_found')
    expectProblem(t, await server.call('GET', path), 'not_found')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expectProblem(t, await server.call(method, path, { headers: html }), 'not_found')
  })

test('addresses for programs answer a browser in the envelope, too', async (t) => {
  const server = await startServer(t)
  for (const path of [
    '/auth/nothing',
    '/auth',
    '//auth/nothing',
    '/system/nothing',
    '/social/nothing',
    '/health/nothing',
    '/pages/nothing',
  ])
    expectProblem(t, await open(server, path), 'not_found')
  expectProblem(t, await open(server, '/auth/login'), 'method_not_allowed')
})

test('/docs is cut off from who opened it like the pages, and answers of the API say nothing of it', async (t) => {
  const server = await startServer(t)
  for (const path of ['/docs/', '/docs'])
    t.equal((await open(server, path)).headers.get('cross-origin-opener-policy'), 'same-origin', path)
  for (const path of ['/health/live', '/auth/loginConfig', '/auth/nowhere'])
    t.equal((await open(server, path)).headers.get('cross-origin-opener-policy'), null, path)
})

test('the language of the document is that of ?lang= or of the browser', async (t) => {
  const server = await startServer(t)
  for (const [query, accepted, expected] of [
    ['', 'zh-CN,zh;q=0.9', 'zh-CN'],
    ['', 'fr', 'en'],
    ['?lang=zh', 'en', 'zh-CN'],
    ['?lang=zh-Hant-HK', 'en', 'zh-CN'],
    ['?lang=en-GB', 'zh', 'en'],
    ['?lang=fr', 'zh', 'zh-CN'],
    ['?lang=__proto__', 'en', 'en'],
  ] as const) {
    const { text } = await open(server, `/sign-in${query}`, { 'accept-language': accepted })
    t.match(text, `<html lang="${expected}"`, `${query} ${accepted}`)
  }
})

test('a page that is switched off is not there, and the start page does not name it', async (t) => {
  const server = await startServer(t, { settings: { pages: { signIn: false, account: false, console: false } } })
  for (const path of [
    '/sign-in',
    '/sign-in/forgot',
    '/sign-in/',
    '/account',
    '/account/security',
    '/console',
    '/console/users',
  ])
    expectProblem(t, await open(server, path), 'not_found')
  t.notMatch((await open(server, '/')).text, 'sign-in"')
  const without = async (page: 'signIn' | 'account' | 'console') =>
    startServer(t, { settings: { pages: { [page]: false } } })
  const withoutAccount = await without('account')
  t.match((await open(withoutAccount, '/')).text, '<a href="./sign-in">')
  t.equal((await open(withoutAccount, '/account')).status, 404)
  t.equal((await open(withoutAccount, '/sign-in')).status, 200)
  const withoutSignIn = await without('signIn')
  for (const path of ['/sign-in', '/sign-in/nothing', '/nowhere'])
    expectProblem(t, await open(withoutSignIn, path), 'not_found')
  t.equal((await open(withoutSignIn, '/account/security')).status, 200)
  const withoutConsole = await without('console')
  t.equal((await open(withoutConsole, '/console/users')).status, 404)
  t.equal((await open(withoutConsole, '/account')).status, 200)
})

test('the policy allows the logos of the configuration, whatever is in their addresses', async (t) => {
  const branding = { systemLogo: 'https://cdn.example.com/a;script-src *,x.png?v=1' }
  const server = await startServer(t, { settings: { branding } })
  const { headers } = await open(server, '/sign-in')
  t.match(
    headers.get('content-security-policy'),
    "img-src 'self' data: https://cdn.example.com/a%3Bscript-src%20*%2Cx.png; connect-src",
  )
})

for (const pages of [undefined, true] as const) {
  test(`in an app around the service the pages are ${pages ? 'on' : 'off'} with pages: ${String(pages)}`, async (t) => {
    const directory = emptyDirectory(t)
    const variables = { DATA_DIR: directory, ROLLCALL_ADMIN_PASSWORD: adminPassword, RATE_LIMITS: 'off' }
    const installation = openInstallation(variables, { create: true })
    const app = Fastify({ pluginTimeout: 0 })
    // An app may send files of its own.
    app.register(fastifyStatic, { root: directory, prefix: '/files/' })
    app.register(rollcall, { prefix: '/iam/v1', installation, ...(pages && { pages }) })
    t.teardown(() => app.close())
    await app.ready()
    const answer = await app.inject({ url: '/iam/v1/sign-in/forgot', headers: html })
    t.equal(answer.statusCode, pages ? 200 : 404)
    const missing = await app.inject({ url: '/iam/v1/sign-in/invit', headers: html })
    t.equal(missing.statusCode, 404)
    t.match(missing.headers['content-type'], pages ? 'text/html' : 'application/json')
    if (pages) t.match(missing.body, '<a href="../sign-in">')
    const api = await app.inject({ url: '/iam/v1/auth/nothing', headers: html })
    t.match(api.headers['content-type'], 'application/json')
    if (!pages) return
    const asset = assetsIn(answer.body)[0] ?? ''
    t.ok(asset.startsWith('../pages/'))
    const url = new URL(asset, 'http://x/iam/v1/sign-in/forgot').pathname
    t.match(url, /^\/iam\/v1\/pages\//)
    t.equal((await app.inject({ url, headers: html })).statusCode, 200)
  })
}

test('a document says whether the browser has the cookie of a session, under whatever name, and nothing of it', async (t) => {
  const server = await startServer(t)
  const name = `rollcall_page_${server.app.encryption.installation}`
  for (const [cookie, expected] of [
    [undefined, false],
    ['', false],
    ['other=1', false],
    [`x${name}=1`, false],
    [`${name}x=1`, false],
    [`a=b; ${name}=secret`, true],
    [`__Host-${name}=secret`, true],
  ] as const)
    for (const path of ['/sign-in', '/account', '/docs/']) {
      const { text } = await open(server, path, cookie === undefined ? {} : { cookie })
      t.equal(/<html[^>]* data-session>/.test(text), expected, `${path} with ${cookie ?? 'no cookie'}`)
      t.notMatch(text, 'secret')
    }
})
