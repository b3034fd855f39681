import { test } from 'tap'
import { startServer } from '../../helpers/service/server.js'

const console = 'https://console.example.com'

test('every answer forbids caching, framing and sniffing, and names no software', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows: [method: string, path: string, options?: object][] = [
    ['GET', '/auth/userInfo', { token }],
    ['GET', '/auth/captcha'],
    ['POST', '/auth/refreshToken', { token }],
    ['GET', '/system/user/page', { token }],
    ['GET', '/auth/userInfo'],
    ['POST', '/auth/login', { json: {} }],
    ['POST', '/auth/login', { raw: '{', headers: { 'content-type': 'application/json' } }],
    ['POST', '/auth/login', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['GET', '/nowhere'],
    ['GET', '/auth/login'],
  ]
  for (const [method, path, options] of rows) {
    await t.test(`${method} ${path}`, async (t) => {
      const { headers } = await server.call(method, path, options)
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.equal(headers.get('cache-control'), 'no-store')
      t.match(headers.get('content-security-policy'), /default-src 'none'/)
      t.match(headers.get('content-security-policy'), /frame-ancestors 'none'/)
      t.match(headers.get('x-frame-options'), /^(DENY|SAMEORIGIN)$/)
      t.match(headers.get('referrer-policy'), /^(no-referrer|same-origin)$/)
      for (const name of ['x-powered-by', 'server', 'set-cookie', 'strict-transport-security']) {
        t.equal(headers.get(name), null, name)
      }
    })
  }
})

/** Origins of pages that were not loaded from a host. */
const appOrigins = [
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost',
  'app://desktop.example:8080',
  'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
  'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
]

test('only the configured origins may read, and only exactly so', async (t) => {
  const configured = [console, 'http://localhost:5173', ...appOrigins]
  const server = await startServer(t, { environment: { CORS_ORIGINS: configured.join() } })
  const rows: [origin: string, isAllowed: boolean][] = [
    [console, true],
    ['http://localhost:5173', true],
    ...appOrigins.map((origin): [string, boolean] => [origin, true]),
    ['capacitor://localhost:1', false],
    ['capacitor://evil', false],
    ['http://localhost:8080', false],
    [`${console}.evil.test`, false],
    ['https://evil-console.example.com', false],
    ['https://evil.test?https://console.example.com', false],
    ['https://consolexexample.com', false],
    ['http://console.example.com', false],
    [`${console}:8443`, false],
    [`${console}/`, false],
    ['HTTPS://CONSOLE.EXAMPLE.COM', false],
    ['https://example.com', false],
    ['http://localhost', false],
    ['http://localhost:51730', false],
    ['null', false],
    ['*', false],
    ['', false],
    [`${console}, https://evil.test`, false],
    [server.origin, false],
  ]
  for (const [origin, isAllowed] of rows) {
    await t.test(origin, async (t) => {
      const headers = { origin }
      const preflight = { origin, 'access-control-request-method': 'POST' }
      for (const answer of [
        await server.call('GET', '/health/live', { headers }),
        await server.call('GET', '/auth/userInfo', { headers }),
        await server.call('GET', '/nowhere', { headers }),
        await server.call('OPTIONS', '/auth/login', { headers: preflight }),
      ]) {
        t.equal(answer.headers.get('access-control-allow-origin'), isAllowed ? origin : null)
        t.equal(answer.headers.get('access-control-allow-credentials'), isAllowed ? 'true' : null)
        t.match(answer.headers.get('vary'), /origin/i)
      }
    })
  }
})

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>
}

test('a preflight lets the front ends send what they send', async (t) => {
  const server = await startServer(t, { environment: { CORS_ORIGINS: console } })
  const wanted = 'authorization,content-type,traceId,X-Page-Path,X-Page-Title,X-Timestamp,X-Nonce,X-Session-Id'
  for (const [method, path] of [
    ['POST', '/auth/login'],
    ['GET', '/system/user/page'],
    ['POST', '/auth/logout'],
    ['PATCH', '/system/user/1'],
    ['PUT', '/system/role'],
    ['DELETE', '/system/user/1'],
  ] as const) {
    const headers = {
      origin: console,
      'access-control-request-method': method,
      'access-control-request-headers': wanted,
    }
    const answer = await server.call('OPTIONS', path, { headers })
    t.equal(answer.status, 204)
    t.equal(answer.text, '')
    t.match(answer.headers.get('access-control-allow-methods'), method)
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/ *, */)
    t.same(allowed, wanted.toLowerCase().split(','))
  }
  const exposed = await server.call('GET', '/auth/userInfo', { headers: { origin: console } })
  const names = (exposed.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/ *, */)
  const { paths } = server.app.swagger() as unknown as Documented
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const answers = operations.flatMap(({ responses }) => Object.values(responses))
  const documented = answers.flatMap(({ headers = {} }) => Object.keys(headers))
  // Browsers show the first one anyway, and cookies never. The others are for reverse proxies.
  const hidden = ['cache-control', 'set-cookie', 'x-user-id', 'x-tenant-id']
  const wantedNames = new Set(documented.map((name) => name.toLowerCase()).filter((name) => !hidden.includes(name)))
  t.ok(wantedNames.has('etag') && wantedNames.has('content-disposition'))
  for (const name of wantedNames) t.ok(names.includes(name), name)
})

test('without configured origins nobody elsewhere may read', async (t) => {
  const server = await startServer(t)
  for (const origin of [console, 'null', server.origin]) {
    const answer = await server.call('GET', '/health/live', { headers: { origin } })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('access-control-allow-origin'), null)
    t.equal(answer.headers.get('access-control-allow-credentials'), null)
  }
})

test('an origin that is not listed is told once, with the setting, whatever its pages ask for', async (t) => {
  const server = await startServer(t, { environment: { CORS_ORIGINS: console } })
  const preflight = { 'access-control-request-method': 'POST' }
  const stranger = (index: number) => `https://stranger-${index}.example.net`
  const told = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('CORS_ORIGINS'))
      .map((line) => JSON.parse(line) as { level: number; msg: string })
  const host = new URL(server.origin).host
  const own: Record<string, string>[] = [
    {},
    { origin: console },
    { origin: server.origin },
    { origin: `https://${host}` },
    { origin: 'https://id.example.com', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'no origin' },
  ]
  for (const headers of own) await server.call('GET', '/health/live', { headers })
  t.same(told(), [])
  for (let times = 0; times < 2; times++) {
    await server.call('OPTIONS', '/auth/login', { headers: { ...preflight, origin: stranger(0) } })
    await server.call('GET', '/nowhere', { headers: { origin: stranger(1) } })
    await server.call('GET', '/auth/userInfo', { headers: { origin: 'tauri://localhost' } })
    await server.call('POST', '/auth/login', { form: { username: 'x' }, headers: { origin: `tauri://${host}` } })
  }
  const origins = [stranger(0), stranger(1), 'tauri://localhost', `tauri://${host}`]
  const maybeOwn = `are taken for those of another origin, because the service is asked as ${host}. If people open the service at this address, set publicUrl to it; if it is a front end of yours, add it to CORS_ORIGINS.`
  const other = 'may not use this service from a browser. If it is a front end of yours, add it to CORS_ORIGINS.'
  t.same(
    told().map(({ level, msg }) => [level, msg]),
    // Without Fetch Metadata a page may be one of the service behind a proxy; an app never is.
    origins.map((origin) => [40, `Pages of ${origin} ${origin.startsWith('https:') ? maybeOwn : other}`]),
  )
  const crossSite = { origin: 'https://front-end.example.net', 'sec-fetch-site': 'cross-site' }
  await server.call('GET', '/auth/userInfo', { headers: crossSite })
  t.equal(told().at(-1)?.msg, `Pages of ${crossSite.origin} ${other}`)
  for (let index = 0; index < 100; index++) {
    await server.call('GET', '/health/live', { headers: { origin: stranger(index) } })
  }
  t.equal(told().length, 20, 'strangers do not fill the log')
  const long = `https://${'a'.repeat(3000)}.example.net`
  await server.call('GET', '/health/live', { headers: { origin: long } })
  t.notMatch(server.log(), long)
})
