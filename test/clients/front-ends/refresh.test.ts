import { test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type Answer, type TestServer } from '../../helpers/service/server.js'

/** A front end as it behaves: parallel failures share one refresh, then each request is repeated once. */
const createFrontEnd = (server: TestServer, firstToken: string) => {
  let token = firstToken
  let refreshing: Promise<Answer> | undefined
  const refreshes: Answer[] = []
  const refresh = async () => {
    refreshing ??= server.call('POST', '/auth/refreshToken', { token })
    const answer = await refreshing
    if (!refreshes.includes(answer)) refreshes.push(answer)
    if (answer.status === 200) token = String(answer.body.data.accessToken)
    refreshing = undefined
    return answer
  }
  return {
    refreshes,
    async get(path: string): Promise<Answer> {
      const answer = await server.call('GET', path, { token })
      if (answer.status !== 401) return answer
      const refreshed = await refresh()
      return refreshed.status === 200 ? server.call('GET', path, { token }) : refreshed
    },
  }
}

test('the very token that was just refused with 401 is good for a refresh, and the repeated request passes', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const frontEnd = createFrontEnd(server, accessToken)
  expectSuccess(t, await frontEnd.get('/auth/userInfo'))
  server.clock.advance(1801)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: accessToken }), 'token_expired')
  expectSuccess(t, await frontEnd.get('/auth/userInfo'))
  t.equal(frontEnd.refreshes.length, 1)
})

test('ten parallel requests with an expired token refresh together, and all pass', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  server.clock.advance(1801)
  const frontEnd = createFrontEnd(server, accessToken)
  const answers = await parallel(10, (index) => frontEnd.get(index % 2 === 0 ? '/auth/userInfo' : '/system/user/page'))
  t.strictSame(tally(answers), { 200: 10 })
})

test('two tabs that know nothing of each other both go on', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  server.clock.advance(1801)
  const tabs = [createFrontEnd(server, accessToken), createFrontEnd(server, accessToken)]
  const answers = await Promise.all(tabs.map((tab) => tab.get('/auth/userInfo')))
  t.strictSame(tally(answers), { 200: 2 })
  server.clock.advance(5)
  for (const tab of tabs) expectSuccess(t, await tab.get('/auth/current/permissions'))
  t.notMatch(server.log(), 'an old token was used again')
})

test('a day of work with a refresh now and then needs one sign-in', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const frontEnd = createFrontEnd(server, accessToken)
  for (let minute = 0; minute < 480; minute += 20) {
    expectSuccess(t, await frontEnd.get('/auth/userInfo'))
    server.clock.advance(20 * 60)
  }
  t.strictSame(tally(frontEnd.refreshes), { 200: 11 })
})

test('when the session is gone, the refresh says so with 401 and a message', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  await server.call('POST', '/auth/logout', { token: accessToken })
  const answer = await createFrontEnd(server, accessToken).get('/auth/userInfo')
  expectProblem(t, answer, 'session_revoked')
  t.ok(answer.body.message.length > 0)
})
