import { test, type Test } from 'tap'
import { fingerprint, parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type Answer, type TestServer } from '../../helpers/service/server.js'

const wrong = 'wrong horse battery'
const day = 24 * 3600

interface Try {
  password?: string
  username?: string
  tenantId?: number
  address?: string
  cookie?: string | undefined
  token?: string
}

const start = async (t: Test, settings: object = {}, more: { isForeign?: boolean } = {}) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: { captcha: { mode: 'never' }, rateLimits: { signIn: 10_000, refresh: 10_000 }, ...settings },
    ...more,
  })
  await server.addUser('alice', { phone: '13800138000', email: 'alice@example.com' })
  let count = 0
  const login = (row: Try) => {
    // Each time from another address, so that none is known.
    const { username = 'alice', password = userPassword, tenantId, cookie, token } = row
    const { address = `192.0.2.${count++ % 250}` } = row
    return server.call('POST', '/auth/login', {
      json: { username, password, ...(tenantId === undefined ? {} : { tenantId }) },
      headers: { 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) },
      ...(token === undefined ? {} : { token }),
    })
  }
  return { server, login }
}

/** An answer without the number of requests that the limit of the address still allows. */
const look = (answer: Answer) => {
  const { headers, ...rest } = fingerprint(answer)
  return { ...rest, headers: headers.filter(([name]) => name !== 'x-ratelimit-remaining') }
}

const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

/** Strangers fail from many addresses until the name waits wherever it is tried. */
const lock = async (t: Test, login: (row: Try) => Promise<Answer>, row: Try = {}) => {
  const answers = await parallel(70, (index) => login({ ...row, password: wrong, address: `203.0.113.${index}` }))
  t.same(tally(answers), { invalid_credentials: 16, too_many_attempts: 54 })
  expectProblem(t, await login(row), 'too_many_attempts')
}

test('a name that strangers have locked lets its owner in on a device that is known, by cookie or by token', async (t) => {
  const { login } = await start(t)
  const first = await login({})
  const { accessToken: token } = expectSuccess(t, first)
  const cookie = cookieOf(first)
  await lock(t, login)
  for (const row of [{ cookie }, { token }, { cookie, token }, { cookie: `theme=dark; ${cookie}; lang=zh` }]) {
    expectSuccess(t, await login(row))
  }
  expectProblem(t, await login({}), 'too_many_attempts')
  expectProblem(t, await login({ password: wrong, address: '203.0.113.200' }), 'too_many_attempts')
})

test('a device at the address of the stranger is known too', async (t) => {
  const { login } = await start(t)
  const cookie = cookieOf(await login({}))
  const address = '203.0.113.1'
  for (let index = 0; index < 5; index++) {
    expectProblem(t, await login({ password: wrong, address }), 'invalid_credentials')
  }
  expectProblem(t, await login({ address }), 'too_many_attempts')
  expectSuccess(t, await login({ cookie, address }))
})

test('a token that has expired, was replaced, or belongs to an ended session still makes the device known', async (t) => {
  const { server, login } = await start(t, {
    clients: { pc: { accessTtl: 60, idleTtl: 60, maxTtl: 120 } },
    lockout: { firstPause: 3600 },
  })
  const { accessToken: token } = expectSuccess(t, await login({}))
  const next = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  await server.call('POST', '/auth/logout', { token: next.accessToken })
  server.clock.advance(day)
  await server.app.housekeeping.run()
  await lock(t, login)
  expectSuccess(t, await login({ token }))
})

test('the phone number and the e-mail address are names of the owner as well', async (t) => {
  const { server, login } = await start(t)
  const answer = await login({})
  const cookie = cookieOf(answer).split('=')[1]
  const { devices } = server.app
  const names = [
    { kind: 'username', text: 'ALICE' },
    { kind: 'phone', text: '+8613800138000' },
    { kind: 'email', text: 'Alice@Example.com' },
  ] as const
  const [first, ...others] = await Promise.all(names.map((name) => devices.of({ cookie }).recognise(1, name)))
  t.match(first, /^[\w-]{22}$/)
  t.same(others, [first, first])
  t.equal(await devices.of({ cookie }).recognise(1, { kind: 'username', text: 'bob' }), undefined)
  for (const { text } of names.slice(1))
    t.equal(await devices.of({ cookie }).recognise(1, { kind: 'username', text }), undefined, 'a name of another kind')
})

test('a cookie that is not of this user in this tenant does nothing at all', async (t) => {
  const { server, login } = await start(t)
  const { id: other } = await server.operator.addTenant('Other')
  await server.addUser('alice', { tenantId: other })
  await server.addUser('bob')
  const mine = await login({})
  const bobs = await login({ username: 'bob' })
  const theirs = await login({ tenantId: other })
  const cookie = cookieOf(mine)
  const [name = ''] = cookie.split('=')
  const { accessToken } = expectSuccess(t, mine)
  const stranger = await start(t, {}, { isForeign: true })
  const foreign = await stranger.login({})
  await lock(t, login)
  const flip = (text: string, at: number) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  const rows: [name: string, row: Try][] = [
    ['the cookie of another user', { cookie: cookieOf(bobs) }],
    ['the cookie of another tenant', { cookie: cookieOf(theirs) }],
    ['the cookie of another installation', { cookie: cookieOf(foreign) }],
    ['an altered cookie', { cookie: flip(cookie, cookie.length - 30) }],
    ['a shortened cookie', { cookie: cookie.slice(0, -4) }],
    ['an empty cookie', { cookie: `${name}=` }],
    ['a cookie of rubbish', { cookie: `${name}=%00%ff; =; ;;` }],
    ['a token in the cookie', { cookie: `${name}=${accessToken}` }],
    ['the token of another user', { token: expectSuccess(t, bobs).accessToken }],
    ['the token of another tenant', { token: expectSuccess(t, theirs).accessToken }],
    ['the token of another installation', { token: expectSuccess(t, foreign).accessToken }],
    ['an altered token', { token: flip(accessToken, accessToken.length - 30) }],
    ['a token of rubbish', { token: 'x.y.z' }],
  ]
  const without = look(await login({}))
  for (const [sentence, row] of rows) t.same(look(await login(row)), without, sentence)
  const unknown = await login({ username: 'ghost', cookie, password: wrong, address: '203.0.113.1' })
  expectProblem(t, unknown, 'invalid_credentials')
  expectSuccess(t, await login({ cookie }))
})

test('a device cookie lasts 180 days from the last sign-in', async (t) => {
  const { server, login } = await start(t, { lockout: { firstPause: 3600 }, clients: { pc: { maxTtl: 400 * day } } })
  const first = await login({})
  const cookie = cookieOf(first)
  server.clock.advance(180 * day - 1)
  await lock(t, login)
  const renewed = await login({ cookie })
  expectSuccess(t, renewed)
  server.clock.advance(1)
  expectProblem(t, await login({ cookie }), 'too_many_attempts')
  expectProblem(t, await login({ token: expectSuccess(t, first).accessToken }), 'too_many_attempts')
  expectSuccess(t, await login({ cookie: cookieOf(renewed) }))
})

test('of 50 parallel wrong tries with one device cookie exactly five are told that they are wrong', async (t) => {
  const { server, login } = await start(t)
  const first = await login({})
  const cookie = cookieOf(first)
  for (const row of [{ cookie }, { token: expectSuccess(t, first).accessToken }]) {
    const answers = await parallel(50, (index) => login({ ...row, password: wrong, address: `203.0.113.${index}` }))
    t.same(tally(answers), { invalid_credentials: 5, too_many_attempts: 45 })
    expectProblem(t, await login(row), 'too_many_attempts')
    expectSuccess(t, await login({}))
    await server.operator.unlock('alice')
  }
})

test('renewing a device cookie makes no new device, and signing in on one makes no room for strangers', async (t) => {
  const { login } = await start(t)
  const first = cookieOf(await login({}))
  const second = cookieOf(await login({ cookie: first }))
  t.not(first, second)
  for (const cookie of [first, second, first, second, first]) {
    expectProblem(t, await login({ cookie, password: wrong }), 'invalid_credentials')
  }
  for (const cookie of [first, second]) expectProblem(t, await login({ cookie }), 'too_many_attempts')
})

test('strangers and stolen marks together get no more than 22 tries of a name', async (t) => {
  const { login } = await start(t, { clients: { pc: { maxSessions: 100 } } })
  const marks: string[] = []
  for (let index = 0; index < 15; index++) marks.push(cookieOf(await login({})))
  await lock(t, login)
  const rows = marks.flatMap((cookie) => Array.from({ length: 5 }, () => ({ cookie, password: wrong })))
  const answers = []
  for (const [index, row] of rows.entries()) answers.push(await login({ ...row, address: `198.51.100.${index}` }))
  t.same(tally(answers), { invalid_credentials: 6, too_many_attempts: 69 })
  expectProblem(t, await login({ cookie: marks[14] }), 'too_many_attempts')
})

test('where strangers may use up all tries of a name, a device cookie changes nothing', async (t) => {
  const { login } = await start(t, { lockout: { nameFailures: 100, nameFailuresAnywhere: 100 } })
  const cookie = cookieOf(await login({}))
  const fail = () => login({ cookie, password: wrong })
  t.same(tally(await parallel(20, fail)), { invalid_credentials: 20 })
  t.same(tally(await parallel(14, fail)), { invalid_credentials: 13, too_many_attempts: 1 })
  expectProblem(t, await login({ cookie }), 'too_many_attempts')
})

test('an operator lifts the pause of known devices too', async (t) => {
  const { server, login } = await start(t)
  const cookie = cookieOf(await login({}))
  for (let index = 0; index < 5; index++) await login({ cookie, password: wrong })
  expectProblem(t, await login({ cookie }), 'too_many_attempts')
  await server.operator.unlock('alice')
  expectSuccess(t, await login({ cookie }))
})

test('strangers who fail make nobody solve a captcha on a known device', async (t) => {
  const { login } = await start(t, { captcha: { mode: 'afterFailures' } })
  const cookie = cookieOf(await login({}))
  for (let index = 0; index < 3; index++) await login({ password: wrong, address: `203.0.113.${index}` })
  expectProblem(t, await login({}), 'captcha_required')
  for (let index = 0; index < 3; index++) {
    expectProblem(t, await login({ cookie, password: wrong }), 'invalid_credentials')
  }
  expectProblem(t, await login({ cookie }), 'captcha_required')
})

const cookieHeader = (server: TestServer, headers: Record<string, string>) =>
  server
    .call('POST', '/auth/login', { json: { username: 'alice', password: userPassword }, headers })
    .then((answer) => answer.headers.get('set-cookie') ?? '')

test('the cookie is for the browser alone, and only for https where the sign-in came by it', async (t) => {
  const { server, login } = await start(t)
  const plain = await cookieHeader(server, {})
  t.match(plain, /^rollcall_device_[0-9a-f]{8}=[\w-]{100,400}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
  t.match(await cookieHeader(server, { 'x-forwarded-proto': 'https' }), /; Secure/)
  t.notMatch(plain, /alice|domain/i)
  for (const row of [{ password: wrong }, { username: 'ghost' }]) {
    t.equal((await login(row)).headers.get('set-cookie'), null, 'only for a successful sign-in')
  }
})

test('a device cookie alone signs nobody in', async (t) => {
  const { server, login } = await start(t)
  const cookie = cookieOf(await login({}))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { headers: { cookie } }), 'token_missing')
  const token = cookie.split('=')[1] ?? ''
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'token_invalid')
  expectProblem(t, await login({ cookie, password: wrong }), 'invalid_credentials')
})
