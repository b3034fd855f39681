import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'

const path = '/auth/login-log/page'

test('you see your own sign-ins, latest first, and nothing of anybody else', async (t) => {
  const server = await startServer(t)
  await server.operator.addTenant('Other')
  for (const tenantId of [1, 2]) await server.addUser('alice', { tenantId })
  const signIn = (json: object, userAgent: string) =>
    server.call('POST', '/auth/login', {
      json: { username: 'alice', password: userPassword, ...json },
      headers: { 'user-agent': userAgent },
    })
  await server.signIn()
  await signIn({ tenantId: 2 }, 'Other tenant')
  await signIn({ password: 'wrong horse battery' }, 'Guesser')
  const times = [server.clock.now()]
  await signIn({ userClient: 'app' }, 'Phone')
  server.clock.advance(60)
  times.unshift(server.clock.now())
  const token = expectSuccess(t, await signIn({}, 'Browser/1.0')).accessToken
  const answer = await server.call('GET', path, { token })
  const page = expectSuccess(t, answer)
  const common = { authType: 'password', address: '127.0.0.1', reason: null }
  const [first, second] = times.map((time) => new Date(time).toISOString())
  t.match(page, { total: 2, size: 10, current: 1, pages: 1 })
  t.same(page.records, [
    { id: page.records[0].id, ...common, time: first, userClient: 'pc', userAgent: 'Browser/1.0' },
    { id: page.records[1].id, ...common, time: second, userClient: 'app', userAgent: 'Phone' },
  ])
  t.notMatch(answer.text, /Guesser|Other tenant|admin|subject|tenantId/)

  const query = async (query: string) => expectSuccess(t, await server.call('GET', path, { token, query }))
  t.match(await query('pageSize=1&pageNum=2'), { total: 2, records: [{ userAgent: 'Phone' }] })
  t.match(await query('isAsc=asc&orderByColumn=time'), {
    records: [{ userAgent: 'Phone' }, { userAgent: 'Browser/1.0' }],
  })
  t.match(await query(`timeTo=${second}`), { total: 1, records: [{ userAgent: 'Phone' }] })
  t.match(await query('userId=1&tenantId=2&subject=admin'), { total: 2 }, 'filters of administrators change nothing')
})

test('own sign-ins need a session, and no permission', async (t) => {
  const server = await startServer(t)
  expectProblem(t, await server.call('GET', path), 'token_missing')
  const token = await signInAs(server, 'alice')
  t.match(expectSuccess(t, await server.call('GET', path, { token })), { total: 1 })
  const forced = await signInAs(server, 'bob', { forcePasswordChange: true })
  expectProblem(t, await server.call('GET', path, { token: forced }), 'password_change_required')
  expectProblem(t, await server.call('GET', path, { token, query: 'timeFrom=x' }), 'invalid_request', ['timeFrom'])
  expectProblem(t, await server.call('GET', path, { token, query: 'orderByColumn=subject' }), 'invalid_request', [
    'orderByColumn',
  ])
})
