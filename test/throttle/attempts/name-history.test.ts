import type { SignInName } from '../../../db/sign-in-names.js'
import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type Answer } from '../../helpers/service/server.js'

const wrong = 'wrong horse battery'
const next = 'quiet purple ladder'
const home = '198.51.100.7'
const elsewhere = '192.0.2.1'
const day = 24 * 3600

const start = async (t: Test, settings: object = {}, account: object = {}) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: { captcha: { mode: 'never' }, rateLimits: { signIn: 100_000 }, ...settings },
  })
  await server.addUser('alice', { email: 'alice@example.com', ...account })
  const login = (address: string, password = userPassword, cookie?: string, username = 'alice') =>
    server.call('POST', '/auth/login', {
      json: { username, password },
      headers: { 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) },
    })
  const changePassword = (token: string, oldPassword: string, newPassword = next, address = elsewhere) =>
    server.call('POST', '/auth/changePassword', {
      token,
      json: { oldPassword, newPassword },
      headers: { 'x-forwarded-for': address },
    })
  /** Strangers fail from many addresses until the name waits for strangers. */
  const lock = async () => {
    const answers = await parallel(60, (index) => login(`203.0.113.${index}`, wrong))
    t.same(tally(answers), { invalid_credentials: 16, too_many_attempts: 44 })
    expectProblem(t, await login(elsewhere), 'too_many_attempts')
  }
  return { server, login, changePassword, lock }
}
const tokenOf = (answer: Answer): string => answer.body.data.accessToken
const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

test('L2: a name that strangers have locked lets its owner in from an address of the last 30 days', async (t) => {
  const { server, login, lock } = await start(t, { lockout: { firstPause: 3600 } })
  expectSuccess(t, await login(home))
  expectSuccess(t, await login('2001:db8:1:2::1'))
  server.clock.advance(29 * day)
  await lock()
  expectSuccess(t, await login(home))
  expectSuccess(t, await login('2001:db8:1:2::ffff'))
  expectProblem(t, await login('2001:db8:1:3::1'), 'too_many_attempts')
  server.clock.advance(30 * day)
  await lock()
  expectProblem(t, await login(home), 'too_many_attempts')
})

test('an address is known for the names of the account that signed in there, and for no other', async (t) => {
  const { server, login } = await start(t)
  await server.addUser('bob')
  expectSuccess(t, await login(home))
  const { names } = server.app.attempts
  const known = async (text: string, tenantId = 1, address = home, kind: SignInName['kind'] = 'username') =>
    (await names.readHistory(tenantId, { kind, text }, address)).isKnownAddress
  t.same([await known('ALICE'), await known('Alice@example.com', 1, home, 'email')], [true, true])
  t.notOk(await known('Alice@example.com'), 'an e-mail address is no user name')
  t.same([await known('bob'), await known('alice', 2), await known('ghost')], [false, false, false])
  expectProblem(t, await login('203.0.113.1', wrong), 'invalid_credentials')
  t.notOk(await known('alice', 1, '203.0.113.1'), 'a failure makes nothing known')
})

test('a sign-in of another day makes an address known for 30 more days; names that were added are known at once', async (t) => {
  const { server, login } = await start(t)
  const { names } = server.app.attempts
  const history = (text: string) =>
    names.readHistory(1, { kind: text.includes('@') ? 'email' : 'username', text }, home)
  const known = async (subject: string) => (await history(subject)).isKnownAddress
  expectSuccess(t, await login(home))
  server.clock.advance(1)
  const alice = await server.app.db.users.findByUsername(1, 'alice')
  await server.app.db.users.change(alice?.id ?? 0, { email: 'new@example.com' }, server.clock.now())
  t.notOk(await known('new@example.com'))
  server.clock.advance(1)
  expectSuccess(t, await login(home))
  t.ok(await known('new@example.com'))
  const first = await history('alice')
  server.clock.advance(23 * 3600)
  expectSuccess(t, await login(home))
  t.strictSame(await history('alice'), first, 'a second sign-in within a day writes nothing')
  server.clock.advance(2 * 3600)
  expectSuccess(t, await login(home))
  server.clock.advance(30 * day - 1)
  t.same([await known('alice'), await known('new@example.com')], [true, true])
  server.clock.advance(2)
  t.same([await known('alice'), await known('new@example.com')], [false, false])
})

test('whoever is signed in changes the password while strangers have locked the name', async (t) => {
  const { server, login, changePassword, lock } = await start(t)
  const token = tokenOf(await login(home))
  await lock()
  // Also where strangers are behind the same address.
  for (let count = 0; count < 6; count++) await login(elsewhere, wrong)
  expectSuccess(t, await changePassword(token, userPassword))
  expectProblem(t, await login(elsewhere, next), 'too_many_attempts')
  expectSuccess(t, await login(home, next))
  server.clock.advance(60)
  expectProblem(t, await login(home), 'invalid_credentials')
})

test('a password that must be changed can be changed while strangers have locked the name', async (t) => {
  const { server, login, changePassword, lock } = await start(t, {}, { forcePasswordChange: true })
  const token = tokenOf(await login(home))
  await lock()
  expectSuccess(t, await changePassword(token, userPassword))
  t.equal((await server.call('GET', '/auth/userInfo', { token })).body.data.forcePasswordChange, false)
})

test('a stolen session gets five guesses at the password before a pause, and locks nobody else out', async (t) => {
  const { login, changePassword } = await start(t)
  const answer = await login(home)
  const answers = await parallel(20, (index) => changePassword(tokenOf(answer), wrong, next, `203.0.113.${index}`))
  t.same(tally(answers), { invalid_credentials: 5, too_many_attempts: 15 })
  expectSuccess(t, await login(home))
  expectSuccess(t, await login(elsewhere))
  expectSuccess(t, await login(elsewhere, userPassword, cookieOf(answer)))
  const another = tokenOf(await login(home))
  expectSuccess(t, await changePassword(another, userPassword))
})

test('L2: all shares of all names of an account together get less than 100 wrong passwords before a pause', async (t) => {
  const { server, login, changePassword } = await start(
    t,
    { clients: { pc: { maxSessions: 100 } } },
    { phone: '13800138000' },
  )
  await server.app.accounts.verifyContacts('alice', { phone: true, email: true })
  const owners: Answer[] = []
  for (let index = 0; index < 8; index++) owners.push(await login(`198.51.100.${index}`))
  const [cookies, tokens] = [owners.map(cookieOf), owners.map(tokenOf)]
  let checked = 0
  for (const name of ['alice', 'alice@example.com', '13800138000']) {
    const answers = [
      ...(await parallel(70, (index) => login(`203.0.113.${index}`, wrong, undefined, name))),
      ...(await parallel(48, (index) => login(`198.51.100.${index % 8}`, wrong, undefined, name))),
      ...(await parallel(48, (index) => login(`203.0.114.${index}`, wrong, cookies[index % 8], name))),
    ]
    t.equal(tally(answers)['invalid_credentials'], 16 + 6 + 6, name)
    checked += 16 + 6 + 6
  }
  const changes = await parallel(48, (index) =>
    changePassword(tokens[index % 8] ?? '', wrong, next, `203.0.115.${index}`),
  )
  t.equal(tally(changes)['invalid_credentials'], 10)
  t.ok(checked + 10 < 100)
})

test('one address gets 16 wrong passwords for a name in a day, however it waits, and 12 more with a known device', async (t) => {
  const { server, login } = await start(t, {
    lockout: { firstPause: 1, longestPause: 1, window: 60 },
    clients: { pc: { maxSessions: 100 } },
  })
  const cookies = [cookieOf(await login(home)), cookieOf(await login(home)), cookieOf(await login(home))]
  const guess = async (cookie?: string): Promise<number> => {
    let looked = 0
    for (let step = 0; step < 48; step++) {
      server.clock.advance(1800)
      for (let count = 0; count < 3; count++) {
        if ((await login(elsewhere, wrong, cookie)).status === 400) looked++
      }
    }
    return looked
  }
  const looked = await guess()
  t.ok(looked > 12 && looked <= 16, `${looked} as a stranger`)
  expectProblem(t, await login(elsewhere), 'too_many_attempts')
  expectSuccess(t, await login(home))
  let known = 0
  const begin = server.clock.now()
  for (let step = 0; server.clock.now() < begin + day * 1000; step++) {
    server.clock.advance(1800)
    for (const cookie of cookies) if ((await login(elsewhere, wrong, cookie)).status === 400) known++
  }
  t.ok(known > 9 && known <= 12, `${known} with known devices`)
})

test('an operator lifts what was counted for the day, too', async (t) => {
  const { server, login } = await start(t, { lockout: { firstPause: 1, longestPause: 1 } })
  for (let count = 0; count < 30; count++) {
    await login(elsewhere, wrong)
    server.clock.advance(2)
  }
  expectProblem(t, await login(elsewhere), 'too_many_attempts')
  await server.operator.unlock('alice')
  expectSuccess(t, await login(elsewhere))
})
