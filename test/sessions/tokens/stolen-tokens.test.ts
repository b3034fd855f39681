import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

const theft = 'an old token was used again'

const start = async (t: Test, settings: object = {}) => {
  const server = await startServer(t, { settings: { ...settings } })
  const { accessToken } = await server.signIn()
  const refresh = (token: string) => server.call('POST', '/auth/refreshToken', { token })
  return {
    server,
    first: accessToken,
    use: (token: string) => server.call('GET', '/auth/userInfo', { token }),
    refresh,
    next: async (token: string): Promise<string> => expectSuccess(t, await refresh(token)).accessToken,
  }
}

test('R1: the unused successor is handed out for five minutes; then the old token is refused, and nothing else', async (t) => {
  const { server, first, use, refresh, next } = await start(t)
  const second = await next(first)
  server.clock.advance(300)
  t.equal(await next(first), second)
  expectSuccess(t, await use(first))
  server.clock.advance(0.001)
  for (const answer of [await refresh(first), await use(first), await refresh(first)]) {
    expectProblem(t, answer, 'token_expired')
    t.match(answer.headers.get('www-authenticate'), 'error="invalid_token"')
    t.notMatch(answer.text, /accessToken|eyJ/)
  }
  expectSuccess(t, await use(second))
  expectSuccess(t, await refresh(second))
  t.notMatch(server.log(), theft, 'the answer may have got lost: the session is not revoked for that')
})

test('R1: asking again does not prolong the five minutes', async (t) => {
  const { server, first, refresh, next } = await start(t)
  const second = await next(first)
  for (let minute = 0; minute < 5; minute++) {
    server.clock.advance(60)
    t.equal(await next(first), second)
  }
  server.clock.advance(1)
  expectProblem(t, await refresh(first), 'token_expired')
})

test('R1: a successor that is used after the five minutes makes the old token one that is used again', async (t) => {
  const { server, first, use, next } = await start(t)
  const second = await next(first)
  server.clock.advance(301)
  expectProblem(t, await use(first), 'token_expired')
  expectSuccess(t, await use(second))
  expectSuccess(t, await use(first))
  server.clock.advance(10.001)
  expectProblem(t, await use(first), 'session_revoked')
  expectProblem(t, await use(second), 'session_revoked')
  t.match(server.log(), theft)
})

/** Calls with a token until it is refused, then refreshes it and repeats the call once, as front ends do. */
const createOwner = ({ use, refresh }: Awaited<ReturnType<typeof start>>, token: string) => ({
  async call(): Promise<boolean> {
    if ((await use(token)).status === 200) return true
    const answer = await refresh(token)
    if (answer.status !== 200) return false
    token = answer.body.data.accessToken as string
    return (await use(token)).status === 200
  },
})

/**
 * Calls with the token that the owner has, and refreshes it at once without using what comes back: so it stays the one
 * before an unused one. When it has expired, the owner and the thief are given the same next one.
 */
const createThief = ({ use, refresh }: Awaited<ReturnType<typeof start>>, stolen: string) => {
  let token = stolen
  let isAhead = false
  return {
    async call(): Promise<boolean> {
      if (!isAhead) isAhead = (await refresh(token)).status === 200
      if ((await use(token)).status === 200) return true
      const answer = await refresh(token)
      if (answer.status !== 200) return false
      token = answer.body.data.accessToken as string
      await refresh(token)
      return (await use(token)).status === 200
    },
  }
}

test('R1: a thief who never uses the newest token does not stay beside the owner', async (t) => {
  for (const minutes of [1, 4, 7, 29]) {
    const all = await start(t)
    const [owner, thief] = [createOwner(all, all.first), createThief(all, all.first)]
    let together = 0
    while (together < 7 * 24 * 60) {
      const [isOwnerServed, isThiefServed] = [await owner.call(), await thief.call()]
      if (!isOwnerServed || !isThiefServed) break
      all.server.clock.advance(60 * minutes)
      together += minutes
    }
    t.comment(`calls every ${minutes} minutes: ${together} minutes together`)
    t.ok(together <= 5 + minutes, `both were served for ${together} minutes, with calls every ${minutes}`)
  }
})

test('R1: answers that get lost and are asked for again within five minutes sign nobody out, for days', async (t) => {
  const { server, first, use, refresh, next } = await start(t)
  let token = first
  for (let hour = 0; hour < 60; hour++) {
    server.clock.advance(1801)
    expectProblem(t, await use(token), 'token_expired')
    const lost = await next(token)
    server.clock.advance(299)
    const again = await parallel(4, () => refresh(token))
    t.same(tally(again), { 200: 4 })
    for (const answer of again) t.equal(answer.body.data.accessToken, lost)
    t.same(tally(await parallel(4, () => use(lost))), { 200: 4 })
    token = lost
  }
  t.notMatch(server.log(), theft)
})
