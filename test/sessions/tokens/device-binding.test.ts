import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type Answer } from '../../helpers/service/server.js'

const day = 86_400

const start = async (t: Test, settings: object = {}) => {
  const server = await startServer(t, { settings: { ...settings } })
  for (const name of ['alice', 'bob']) await server.addUser(name)
  const withCookie = (cookie: string | undefined) => (cookie === undefined ? {} : { headers: { cookie } })
  const cookieOf = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';')[0]
  const signIn = async (username: string, cookie?: string) => {
    const json = { username, password: userPassword }
    const answer = await server.call('POST', '/auth/login', { json, ...withCookie(cookie) })
    return { token: expectSuccess(t, answer).accessToken as string, cookie: cookieOf(answer) ?? '' }
  }
  const refresh = (token: string, cookie?: string) =>
    server.call('POST', '/auth/refreshToken', { token, ...withCookie(cookie) })
  return {
    server,
    signIn,
    refresh,
    cookieOf,
    use: (token: string) => server.call('GET', '/auth/userInfo', { token }),
    next: async (token: string, cookie?: string): Promise<string> =>
      expectSuccess(t, await refresh(token, cookie)).accessToken,
  }
}

/** A refresh that a thief tries with what the thief may have. */
const expectRefused = (t: Test, answer: Answer) => {
  expectProblem(t, answer, 'token_invalid')
  t.notMatch(answer.text, /accessToken|cookie|device/)
  t.same(answer.headers.getSetCookie(), [])
}

test('R3: a session that brought its device cookie at the sign-in is refreshed only with it', async (t) => {
  const { server, signIn, refresh, use, next } = await start(t)
  const { cookie } = await signIn('alice')
  const { token, cookie: renewed } = await signIn('alice', cookie)
  const bob = await signIn('bob')
  const other = await signIn('alice')
  const rows: [name: string, cookie: string | undefined][] = [
    ['no cookie', undefined],
    ['a blank one', `${cookie.split('=')[0]}=`],
    ['an altered one', `${cookie.slice(0, -30)}${cookie.at(-30) === 'A' ? 'B' : 'A'}${cookie.slice(-29)}`],
    ['that of somebody else', bob.cookie],
    ['that of another device of the same user', other.cookie],
  ]
  for (const [name, sent] of rows) {
    t.comment(name)
    expectRefused(t, await refresh(token, sent))
  }
  expectSuccess(t, await use(token))
  t.match(server.log(), 'without the device cookie of its session')
  t.notMatch(server.log(), token)
  const second = await next(token, renewed)
  const third = await next(second, cookie)
  expectRefused(t, await refresh(third))
  t.equal(await next(second, renewed), third, 'a lost answer is asked for with the cookie')
  expectRefused(t, await refresh(second))
  expectSuccess(t, await use(third))
})

test('R3: so is one that brought it at its first refresh', async (t) => {
  const { signIn, refresh, next } = await start(t)
  const { token, cookie } = await signIn('alice')
  const second = await next(token, cookie)
  expectRefused(t, await refresh(second))
  const third = await next(second, cookie)
  expectRefused(t, await refresh(third))
})

test('clients without cookies are refreshed as ever, and nobody binds their session later', async (t) => {
  const { signIn, refresh, next } = await start(t)
  const { token, cookie } = await signIn('alice')
  const second = await next(token)
  const third = await next(second, cookie)
  const fourth = await next(third)
  const bob = await signIn('bob')
  const fifth = await next(fourth, bob.cookie)
  expectSuccess(t, await refresh(fifth))
})

test('the cookie of somebody else binds no session', async (t) => {
  const { signIn, next } = await start(t)
  const bob = await signIn('bob')
  const { token } = await signIn('alice', bob.cookie)
  const second = await next(token, bob.cookie)
  await next(second)
})

test('a stolen token without the cookie gets no further than its own life, and the owner is not signed out', async (t) => {
  const { server, signIn, refresh, use, next } = await start(t)
  const { cookie } = await signIn('alice')
  const { token: stolen } = await signIn('alice', cookie)
  expectRefused(t, await refresh(stolen))
  server.clock.advance(1801)
  expectRefused(t, await refresh(stolen))
  expectProblem(t, await use(stolen), 'token_expired')
  const mine = await next(stolen, cookie)
  expectSuccess(t, await use(mine))
})

test('parallel tabs of one device share one successor; the tabs of others on it go on too', async (t) => {
  const { signIn, refresh, next } = await start(t)
  const alice = await signIn('alice')
  const bob = await signIn('bob', alice.cookie)
  const again = await signIn('alice', bob.cookie)
  const answers = await parallel(20, () => refresh(again.token, again.cookie))
  t.same(tally(answers), { 200: 20 })
  t.equal(new Set(answers.map(({ body }) => body.data.accessToken)).size, 1)
  for (const { token } of [alice, bob]) await next(await next(token, again.cookie), again.cookie)
})

test('a password change renews the cookie, and the session that is bound to it goes on', async (t) => {
  const { server, signIn, refresh, cookieOf, next } = await start(t)
  const { cookie } = await signIn('alice')
  const { token } = await signIn('alice', cookie)
  const json = { oldPassword: userPassword, newPassword: 'brass kettle whistle' }
  const answer = await server.call('POST', '/auth/changePassword', { token, json, headers: { cookie } })
  expectSuccess(t, answer)
  const renewed = cookieOf(answer)
  t.not(renewed, cookie)
  const second = await next(token, renewed)
  expectRefused(t, await refresh(second))
  await next(second, renewed)
})

test('a session that lives longer than the cookie renews it in time', async (t) => {
  const { server, signIn, refresh, cookieOf } = await start(t, {
    clients: { pc: { idleTtl: 60 * day, maxTtl: 400 * day } },
  })
  const { cookie: first } = await signIn('alice')
  let { token, cookie } = await signIn('alice', first)
  let renewals = 0
  for (let month = 0; month < 12; month++) {
    server.clock.advance(30 * day)
    const answer = await refresh(token, cookie)
    token = expectSuccess(t, answer).accessToken as string
    const renewed = cookieOf(answer)
    if (renewed === undefined) continue
    cookie = renewed
    renewals++
  }
  t.equal(renewals, 3, 'not each time')
})
