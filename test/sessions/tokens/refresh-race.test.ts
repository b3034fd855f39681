import { test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

test('R2: 50 parallel refreshes of one token share one successor', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const answers = await parallel(50, () => server.call('POST', '/auth/refreshToken', { token }))
  t.strictSame(tally(answers), { 200: 50 })
  const successors = new Set(answers.map(({ body }) => String(body.data.accessToken)))
  t.equal(successors.size, 1)
  const [successor = ''] = successors
  t.not(successor, token)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: successor }))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
})

test('50 parallel refreshes of an expired token too', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  server.clock.advance(1800)
  const answers = await parallel(50, () => server.call('POST', '/auth/refreshToken', { token }))
  t.strictSame(tally(answers), { 200: 50 })
  t.equal(new Set(answers.map(({ body }) => String(body.data.accessToken))).size, 1)
})

test('calls and refreshes at one moment all succeed', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const answers = await parallel(40, (index) =>
    index % 2 === 0
      ? server.call('POST', '/auth/refreshToken', { token })
      : server.call('GET', '/auth/userInfo', { token }),
  )
  t.strictSame(tally(answers), { 200: 40 })
})

test('refreshes that race with a sign-out never bring the session back', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const answers = await parallel(20, (index) =>
    server.call('POST', index === 10 ? '/auth/logout' : '/auth/refreshToken', { token }),
  )
  for (const { status } of answers) t.ok(status === 200 || status === 401)
  const tokens = answers.map(({ body }) => body.data?.accessToken).filter((value) => typeof value === 'string')
  for (const value of new Set([token, ...tokens])) {
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token: value }), 'session_revoked')
    expectProblem(t, await server.call('POST', '/auth/refreshToken', { token: value }), 'session_revoked')
  }
})

test('parallel uses of a stolen token end the session once', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const next = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: next }))
  server.clock.advance(11)
  const answers = await parallel(20, (index) =>
    server.call(index % 2 === 0 ? 'POST' : 'GET', index % 2 === 0 ? '/auth/refreshToken' : '/auth/userInfo', { token }),
  )
  t.strictSame(tally(answers), { session_revoked: 20 })
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: next }), 'session_revoked')
})

test('refreshes that race with a disabling never outlive it', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const [answers] = await Promise.all([
    parallel(20, () => server.call('POST', '/auth/refreshToken', { token })),
    server.operator.setEnabled('alice', false),
  ])
  const tokens = answers.map(({ body }) => body.data?.accessToken).filter((value) => typeof value === 'string')
  for (const value of new Set([token, ...tokens])) {
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token: value }), 'session_revoked')
  }
})
